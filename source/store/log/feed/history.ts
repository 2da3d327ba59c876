import type { LogsClient } from '../../../client/client.ts';
import type { ErrorCode, ServiceError } from '../../../client/http/errors.ts';
import type { LogLine, LogQuery } from '../../../contract/logs.ts';
import { type MergeEvent, stepMerge } from '../../../tail/merge/merge.ts';
import {
  type MergeState,
  type MergeOptions,
  type PageRequest,
  startMerge,
} from '../../../tail/merge/merge-state.ts';
import { takeRun } from '../../../tail/merge/live.ts';
import { askNext } from '../../../tail/merge/next-page.ts';
import { rowOf } from '../../../tail/arena/row.ts';
import type { Run } from '../../../tail/arena/run.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import type { Inserted } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import { backoffDelay } from './backoff.ts';

export interface LogHistoryOptions extends MergeOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly query: Pick<LogQuery, 'service' | 'search'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sequence: Sequence<LogLine>;
  /** After each step; with the lines it put in, wherever they stand. */
  readonly onChange: (inserted: readonly Inserted[]) => void;
  /** After each answer; without an error when it brought lines or the word that there are none. */
  readonly onAnswer: (error: ServiceError | undefined) => void;
  /** The service has lines that its open stream has not delivered. */
  readonly onBehind: () => void;
}

/** Runs the merge: applies what it decides to the sequence, and fetches the pages it asks for. */
export interface LogHistory {
  merge(): MergeState<LogLine>;
  send(event: MergeEvent<LogLine>): void;
  /** Takes a run of live lines behind all others. False when it must be sent as lines. */
  append(run: Run): boolean;
  stop(): void;
}

export function createLogHistory(options: LogHistoryOptions): LogHistory {
  const { client, deploymentId, query, clock, random, sequence } = options;
  let merge = startMerge<LogLine>(options);
  const ended = new AbortController();
  let cancelWait = (): void => {};
  /** When the service wants to be asked again, ms since the epoch. */
  let notBefore = 0;

  const step = (event: MergeEvent<LogLine>): readonly Inserted[] => {
    const { state, change, behind } = stepMerge(merge, event, sequence);
    merge = state;
    if (behind === true) options.onBehind();
    return change === undefined ? [] : sequence.apply(change);
  };

  const send = (event: MergeEvent<LogLine>): void => {
    if (ended.signal.aborted) return;
    const before = merge.asking;
    const inserted = [...step(event)];
    if (event.kind === 'lines' && merge.early !== undefined) {
      inserted.push(...step({ kind: 'came' }));
    }
    entered(inserted, before);
  };

  const append = (run: Run): boolean => {
    if (ended.signal.aborted) return true;
    const next = takeRun(merge, run.places[0] ?? 0, run.places[run.count - 1] ?? 0);
    if (next === undefined) return false;
    merge = next;
    entered([sequence.append(run, merge.spans)], merge.asking);
    return true;
  };

  /** @param before what was asked for before they came in. */
  const entered = (inserted: readonly Inserted[], before: PageRequest | undefined): void => {
    for (let place = sequence.keepsFrom; place !== undefined; place = sequence.keepsFrom) {
      step({ kind: 'forget', place });
      sequence.trim();
    }
    merge = askNext(merge, sequence);
    if (merge.asking !== before) cancelWait();
    if (merge.asking !== undefined && merge.asking !== before) ask(merge.asking);
    options.onChange(inserted);
  };

  const ask = (request: PageRequest): void => {
    const backOff = request.attempt === 0 ? 0 : backoffDelay(request.attempt, random());
    const wait = Math.max(backOff, notBefore - clock.now());
    if (wait <= 0) void fetchPage(request);
    else cancelWait = clock.after(wait, () => void fetchPage(request));
  };

  const fetchPage = async (request: PageRequest): Promise<void> => {
    if (ended.signal.aborted) return;
    const { limit, offset } = request;
    const answer = await client.fetch(deploymentId, { ...query, limit, offset }, ended.signal);
    if (ended.signal.aborted) return;
    if (answer.ok) {
      const rows = answer.value.lines.map(({ value }) => rowOf(value));
      send({ kind: 'page', request, rows });
    } else {
      notBefore = clock.now() + (answer.error.retryAfter ?? 0) * 1000;
      send({ kind: 'failed', request, why: failureOf(answer.error) });
    }
    options.onAnswer(answer.ok ? undefined : answer.error);
  };

  const stop = (): void => {
    cancelWait();
    ended.abort();
  };

  return { merge: () => merge, send, append, stop };
}

/** Answers that may be due to the size of the page: smaller ones are asked for then. */
const aboutSize = new Set<ErrorCode>(['bad-request', 'invalid', 'oversized-answer']);

/** Answers that asking again does not change. */
const final = new Set<ErrorCode>(['unauthorized', 'forbidden', 'not-found', 'redirected']);

function failureOf({ code }: ServiceError): 'size' | 'final' | 'passing' {
  if (aboutSize.has(code)) return 'size';
  return final.has(code) ? 'final' : 'passing';
}
