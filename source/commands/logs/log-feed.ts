/** One of the logs that are written out: reads its lines, and tells how it ends. */
import type { Client } from '../../client/client.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import { FollowedLog } from '../../store/log/feed/followed-log.ts';
import {
  type LogMemory,
  type OlderState,
  unreadableSentence,
  labelSentences,
} from '../../store/log/feed/log-source.ts';
import { failureOf } from '../../store/log/feed/log-pages.ts';
import { LogReader } from '../../store/log/feed/reader.ts';
import { type Clock, guardOf } from '../../store/time/clock.ts';
import { type CommandProblem, failureProblem, usageProblem } from '../command-problem.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstExitCode } from '../exit-codes.ts';
import { createLineCollector, type LineSink } from './collect-lines.ts';
import { createHistoryReach, type HistoryReach } from './history-reach.ts';
import type { LineFormat } from './line-format.ts';
import { createLineSelector, type LineCriteria, type LineSelector } from './line-selector.ts';
import {
  type ConnectionNotes,
  createConnectionNotes,
  createHistoryNotes,
  type Say,
} from './log-notes.ts';
import type { PreviousRun } from './previous-run.ts';
import { dateTimeText } from '../../store/log/times.ts';
import { findTime, hasTimes } from '../../tail/arena/time-search.ts';

export interface LogFeedOptions {
  readonly client: Pick<Client, 'logs'>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Id of the deployment. */
  readonly id: string;
  readonly format: LineFormat;
  readonly sink: LineSink;
  readonly service?: string | undefined;
  readonly search?: string | undefined;
  /** Bounds of the log in memory; at least the lines that a slow reader may leave unread. */
  readonly memory?: LogMemory | undefined;
  /** Selected lines of history to write first; may be infinite. */
  readonly limit: number;
  /** Lines that are searched for them; all by default. */
  readonly mostSearched?: number | undefined;
  readonly criteria: LineCriteria;
  /** The runs whose lines alone are written; undefined for all lines. */
  readonly previousRun?: PreviousRun | undefined;
  readonly follow: boolean;
  /** Milliseconds that live lines wait for the first history. */
  readonly openingTimeout: number;
  /** Milliseconds that live lines wait for history after a drop. */
  readonly historyTimeout: number;
  readonly backfill?: boolean | undefined;
  readonly note: Say;
  /** Called when there may be more to read. */
  readonly onChange: () => void;
}

/** The result of one reading. */
export type FeedStep =
  /** Lines were read, selected or not; there may be more. */
  | { readonly kind: 'read' }
  /** Nothing can be read before the next change, or before some milliseconds have passed. */
  | { readonly kind: 'waiting'; readonly retryIn: number | undefined; readonly isOpened: boolean }
  | { readonly kind: 'ended'; readonly exit: ExitCode }
  | { readonly kind: 'failed'; readonly problem: CommandProblem };

export interface LogFeed {
  /** Reads some lines and passes the selected ones to the sink. */
  read(): FeedStep;
  /** Lines were written: reading from the service may go on. */
  resume(): void;
  stop(): void;
}

/** Attempts to fill a gap. More than on a screen, because written output can't be filled in later. */
const patience = 12;

/** Lines read at a time, and bytes of their messages. */
const readAtOnce = 500;
export const bytesAtOnce = 64 * 1024;

/** Unread lines at which reading from the service pauses, and at which it resumes. */
const mostWaiting = 10_000;
const fewWaiting = 2000;
const fewLong = 50;

/** Memory that holds the lines that arrive before reading pauses. */
const leastLines = 2 * mostWaiting;
const leastBytes = 16 * 2 ** 20;

/** Lines of history to begin with where they are searched. */
const searchedFirst = 500;

/** Returns whether the history of these lines has to be searched, rather than counted off. */
export function isSearchedFor({ limit }: Pick<LogFeedOptions, 'limit'>, hasCriteria: boolean) {
  return hasCriteria || !Number.isFinite(limit);
}

export function openLogFeed(options: LogFeedOptions): LogFeed {
  const { client, clock, random, id, service, search, limit, criteria, note } = options;
  const { mostSearched, previousRun } = options;
  const selector = createLineSelector(criteria, guardOf(clock), previousRun);
  const reach = createHistoryReach(selector, limit, mostSearched, previousRun);
  const isSearched = isSearchedFor(options, selector.hasCriteria);
  const logs = new FollowedLog({
    client: client.logs,
    deploymentId: id,
    clock,
    random,
    service,
    search,
    initialLines: isSearched ? Math.min(limit, searchedFirst) : limit,
    reach: isSearched
      ? { ...reach, until: options.follow ? undefined : selector.until }
      : undefined,
    follow: options.follow,
    maxAttempts: patience,
    publishInterval: 0,
    isAppendOnly: true,
    ...atLeast(options.memory),
  });
  const reader = new LogReader(logs, clock, {
    before: () => logs.firstLive() - reach.firstIndex(logs.entries, logs.firstLive()),
    openingTimeout: options.openingTimeout,
    historyTimeout: options.historyTimeout,
  });
  const history = createHistoryNotes(note, options.historyTimeout);
  const collector = createLineCollector({ ...options, selector, logs, history });
  const connection = createConnectionNotes(note);
  const closing = watchClosing(options, logs);
  const said = new Set<string>();
  let saysUnreadable = false;
  let saysStreams = false;
  let isOpened = false;
  /** The sentence about a history that does not reach back to the wanted time. */
  let short: string | undefined;
  /** The error that the history waits for, as it was noted. */
  let trouble: string | undefined;

  const holdBack = (): void => {
    // A few very long lines fill the memory.
    const most = Math.min(mostWaiting, Math.max(fewLong, logs.entries.length / 2));
    if (reader.unreadCount() > most) logs.setPaused(true);
    options.onChange();
  };
  const stopListening = [logs.onInserted(holdBack), logs.state.subscribe(options.onChange)];

  const noteState = (): void => {
    const state = logs.state.getState();
    const { olderError, olderErrorOffset } = state;
    // A sentence on how far back the log was read follows where the service refuses an offset.
    const isTold = isSearched && logs.entries.length > 0 && isLimit(olderError, olderErrorOffset);
    if (!isTold || state.connection.kind !== 'stopped' || state.connection.error !== olderError)
      connection.note(state.connection);
    for (const label of state.labels) {
      if (!said.has(label)) note(labelSentences[label]);
      said.add(label);
    }
    if (state.unreadable > 0 && !saysUnreadable) note(unreadableSentence);
    saysUnreadable = state.unreadable > 0;
    // A search waits for its history, however long that takes.
    if (isOpened || !isSearched || !options.follow || olderError?.sentence === trouble) return;
    trouble = olderError?.sentence;
    if (trouble !== undefined) note(`${trouble} Retrying to fetch the history.`);
  };

  const noteStreams = (): void => {
    if (criteria.streams.length === 0 || saysStreams || !collector.lacksStreams()) return;
    saysStreams = true;
    note('The lines of this log tell no stream; --stream leaves them out.');
  };

  return {
    read() {
      noteState();
      if (!isOpened && logs.ready()) {
        isOpened = true;
        const problem =
          previousRun?.problem() ?? openingProblem({ logs, selector, reach, isSearched, note });
        if (problem !== undefined) return { kind: 'failed', problem };
        short = missingEnd({ logs, selector }) ?? shortHistory({ logs, selector, reach });
        if (short !== undefined) note(short);
      }
      const reading = reader.read(readAtOnce, bytesAtOnce);
      const { entries, lateLines, backfill, hasLostLines, retryIn } = reading;
      if (hasLostLines) note('Lines were lost: they arrived faster than they were read.');
      if (!collector.collect(reading)) return { kind: 'failed', problem: tooSlowProblem };
      if (logs.ready() && logs.settled() === logs.entries.length) history.settled();
      if (entries.length + lateLines.length + backfill.length > 0) return { kind: 'read' };
      noteStreams();
      // Lines that are held for a moment are written before the command ends.
      const wait = Number.isFinite(retryIn) ? retryIn : undefined;
      const exit = wait === undefined ? endOf(logs, connection) : undefined;
      if (exit !== undefined)
        return {
          kind: 'ended',
          exit: short === undefined ? exit : worstExitCode([exit, exitCodes.unreachable]),
        };
      // Live lines wait on the service while the history before them is searched.
      const live = logs.entries.length - logs.firstLive();
      if (isOpened || live <= mostWaiting) logs.setPaused(false);
      return { kind: 'waiting', retryIn: wait, isOpened };
    },
    resume() {
      if (reader.unreadCount() < Math.min(fewWaiting, logs.entries.length / 4))
        logs.setPaused(false);
    },
    stop() {
      closing.stop();
      history.settled();
      for (const stop of stopListening) stop();
      reader.stop();
      logs.stop();
    },
  };
}

function atLeast({ maxLines, maxBytes }: LogMemory = {}): LogMemory {
  return {
    maxLines: maxLines && Math.max(leastLines, maxLines),
    maxBytes: maxBytes && Math.max(leastBytes, maxBytes),
  };
}

/** Returns the exit code when no more lines will arrive; undefined when more may. */
function endOf(logs: FollowedLog, notes: ConnectionNotes): ExitCode | undefined {
  const { connection } = logs.state.getState();
  if (connection.kind === 'stopped') {
    const { error } = connection;
    // A log that was there, and is gone, is that of a deployment that was closed.
    const isGone = error?.code === 'not-found' && notes.wasConnected();
    return error === undefined || error.code === 'ended' || isGone
      ? exitCodes.done
      : exitCodeOf(error);
  }
  const isRefused =
    connection.kind === 'retrying' &&
    (connection.error.code === 'unauthorized' || connection.error.code === 'forbidden');
  const hasNothing = logs.ready() && !notes.wasConnected() && logs.entries.length === 0;
  return isRefused && hasNothing ? exitCodes.notAllowed : undefined;
}

interface ClosingWatchOptions {
  readonly id: string;
  readonly follow: boolean;
  readonly clock: Clock;
  readonly client: Pick<Client, 'logs'>;
}

/** Milliseconds without a line after which the service is asked, and between two questions. */
const interval = 15_000;

/** Completes a log once its deployment is closed. Asks only while no lines come. */
function watchClosing(
  { id, follow, clock, client }: ClosingWatchOptions,
  logs: Pick<FollowedLog, 'state' | 'complete'>,
): { readonly stop: () => void } {
  let cancel = (): void => {};
  let isStopped = false;
  let received = -1;

  const check = async (): Promise<void> => {
    const before = received;
    ({ received } = logs.state.getState());
    const ended = before === received ? await client.logs.isEnded(id) : undefined;
    if (isStopped) return;
    if (ended?.ok === true && ended.value) logs.complete(closedError(id));
    cancel = clock.after(interval, () => void check());
  };
  if (follow) cancel = clock.after(interval, () => void check());

  return {
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function closedError(id: string) {
  return {
    code: 'ended',
    operation: 'stream logs',
    sentence: `Deployment ${id} is closed.`,
    next: '',
    unknownOutcome: false,
  } as const;
}

/** A log whose first history is there. */
interface OpenedLog {
  readonly logs: FollowedLog;
  readonly selector: LineSelector;
  readonly reach: HistoryReach;
  /** Whether the history is searched, rather than counted off. */
  readonly isSearched: boolean;
  readonly note: Say;
}

const tooSlowProblem = failureProblem(
  'A pattern takes too long on the lines of the log.',
  'Use a simpler one, without nested repetitions.',
);

/** Returns whether a service refused a page for its offset. */
function isLimit(error: ServiceError | undefined, offset = 0): boolean {
  return error !== undefined && offset > 0 && failureOf(error) === 'size';
}

/** Returns the status of an error and the offset of its request, in parentheses; nothing without a status. */
function refusalText({ olderError, olderErrorOffset }: Omit<OlderState, 'older'>): string {
  const at =
    olderErrorOffset === undefined ? '' : ` at offset ${olderErrorOffset.toLocaleString('en-US')}`;
  return olderError?.status === undefined ? '' : ` (HTTP ${olderError.status}${at})`;
}

/**
 * Returns the sentence for a log whose newest lines the service does not give; undefined when none of them is
 * selected.
 */
function missingEnd({ logs, selector }: Pick<OpenedLog, 'logs' | 'selector'>): string | undefined {
  const { entries } = logs;
  const { until } = selector;
  const refusal = logs.endRefusal();
  const newest = findTime(entries, entries.length - 1, -1);
  const hasAll = until !== undefined && newest !== undefined && newest >= until;
  if (refusal === undefined || hasAll) return undefined;
  const to = newest === undefined ? '' : ` to ${dateTimeText(newest, false)}`;
  return `Read up${to}; the service gave no more${refusalText(refusal)}. Newer lines may be missing.`;
}

/**
 * Returns the sentence for a walk back to a time that had to stop early; undefined when it had not. Lines
 * since the time may then be missing.
 */
function shortHistory({
  logs,
  selector,
  reach,
}: Pick<OpenedLog, 'logs' | 'selector' | 'reach'>): string | undefined {
  const { entries, state } = logs;
  const { since } = selector;
  const { older, olderError, olderErrorOffset } = state.getState();
  if (since === undefined || older === 'none') return undefined;
  if (entries.length === 0 && !isLimit(olderError, olderErrorOffset)) return undefined;
  if (olderError === undefined && reach.isReached(entries, logs.firstLive())) return undefined;
  const oldest = findTime(entries, 0);
  const to = oldest === undefined ? '' : ` to ${dateTimeText(oldest, false)}`;
  const status = refusalText({ olderError, olderErrorOffset });
  const why = older === 'full' ? 'memory is full' : `the service gave no more${status}`;
  const lines = `${entries.length.toLocaleString('en-US')} lines`;
  const read = entries.length === 0 ? 'Read no earlier line' : `Read back${to}, ${lines}`;
  return `${read}; ${why}. Lines since ${dateTimeText(since, false)} may be missing.`;
}

/** Notes what the first history lacks. Returns why the criteria can't be applied to it. */
function openingProblem({
  logs,
  selector,
  reach,
  isSearched,
  note,
}: OpenedLog): CommandProblem | undefined {
  const { entries, state } = logs;
  const { older, olderError } = state.getState();
  if (entries.length === 0) return undefined;
  if (reach.isCut()) note('Only the last lines were searched. -n all searches the whole log.');
  const isShort = isSearched && selector.since === undefined;
  if (isShort && !reach.isReached(entries, logs.firstLive())) {
    if (older === 'full')
      note(
        'Memory is full: earlier lines are left out. --log-lines and --log-bytes set its limits.',
      );
    else if (olderError !== undefined)
      note(`Earlier lines could not be fetched. ${olderError.sentence}`);
  }
  if (!selector.needsTimes || hasTimes(entries)) return undefined;
  return usageProblem(
    'The lines of this log tell no times, by which they could be selected.',
    'Use -n to select the last ones.',
  );
}
