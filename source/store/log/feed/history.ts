import type { LogsClient } from '../../../client/logs.ts';
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
import { toRow } from '../../../tail/arena/row.ts';
import type { Run } from '../../../tail/arena/run.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import type { InsertedRun } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import { backoffDelay } from './backoff.ts';

export interface LogHistoryOptions extends MergeOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly query: Pick<LogQuery, 'service' | 'search'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sequence: Sequence<LogLine>;
  /** Called after each event, with the lines that it inserted anywhere in the log. */
  readonly onChange: (inserted: readonly InsertedRun[]) => void;
  /**
   * Called after each answer; `error` is undefined when the answer is a page, even an empty one.
   */
  readonly onAnswer: (error: ServiceError | undefined) => void;
  /** Called when the service has lines that its open stream has not delivered. */
  readonly onStreamBehind: () => void;
}

/** Runs the merge: applies its changes to the sequence and fetches the pages that it requests. */
export interface LogHistory {
  merge(): MergeState<LogLine>;
  send(event: MergeEvent<LogLine>): void;
  /** Appends a run of live lines. Returns false when the run must be sent as lines instead. */
  append(run: Run): boolean;
  stop(): void;
}

export function createLogHistory(options: LogHistoryOptions): LogHistory {
  const { client, deploymentId, query, clock, random, sequence } = options;
  let merge = startMerge<LogLine>(options);
  const controller = new AbortController();
  const { signal } = controller;
  let cancelWait = (): void => {};
  /** Earliest time of the next request by the service's Retry-After, ms since the epoch. */
  let notBefore = 0;

  const applyEvent = (event: MergeEvent<LogLine>): readonly InsertedRun[] => {
    const { state, change, behind } = stepMerge(merge, event, sequence);
    merge = state;
    if (behind === true) options.onStreamBehind();
    return change === undefined ? [] : sequence.apply(change);
  };

  const send = (event: MergeEvent<LogLine>): void => {
    if (signal.aborted) return;
    const previous = merge.asking;
    const inserted = [...applyEvent(event)];
    if (event.kind === 'lines' && merge.early !== undefined) {
      inserted.push(...applyEvent({ kind: 'came' }));
    }
    afterChange(inserted, previous);
  };

  const append = (run: Run): boolean => {
    if (signal.aborted) return true;
    const next = takeRun(merge, run.places[0] ?? 0, run.places[run.count - 1] ?? 0);
    if (next === undefined) return false;
    merge = next;
    afterChange([sequence.append(run, merge.spans)], merge.asking);
    return true;
  };

  /** Trims the memory and requests the next page. @param previous the request before the change. */
  const afterChange = (
    inserted: readonly InsertedRun[],
    previous: PageRequest | undefined,
  ): void => {
    for (let place = sequence.keepsFrom; place !== undefined; place = sequence.keepsFrom) {
      applyEvent({ kind: 'forget', place });
      sequence.trim();
    }
    merge = askNext(merge, sequence);
    if (merge.asking !== previous) cancelWait();
    if (merge.asking !== undefined && merge.asking !== previous) requestPage(merge.asking);
    options.onChange(inserted);
  };

  const requestPage = (request: PageRequest): void => {
    const backOff = request.attempt === 0 ? 0 : backoffDelay(request.attempt, random());
    const wait = Math.max(backOff, notBefore - clock.now());
    if (wait <= 0) void fetchPage(request);
    else cancelWait = clock.after(wait, () => void fetchPage(request));
  };

  const fetchPage = async (request: PageRequest): Promise<void> => {
    if (signal.aborted) return;
    const { limit, offset } = request;
    const answer = await client.fetch(deploymentId, { ...query, limit, offset }, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      const rows = answer.value.lines.map(({ value }) => toRow(value));
      send({ kind: 'page', request, rows });
    } else {
      notBefore = clock.now() + (answer.error.retryAfter ?? 0) * 1000;
      send({ kind: 'failed', request, why: failureOf(answer.error) });
    }
    options.onAnswer(answer.ok ? undefined : answer.error);
  };

  const stop = (): void => {
    cancelWait();
    controller.abort();
  };

  return { merge: () => merge, send, append, stop };
}

/** Errors that may be due to the size of the page; smaller pages are requested after them. */
const sizeErrors = new Set<ErrorCode>(['bad-request', 'invalid', 'oversized-answer']);

/** Errors that a retry does not change. */
const permanentErrors = new Set<ErrorCode>([
  'unauthorized',
  'forbidden',
  'not-found',
  'redirected',
]);

function failureOf({ code }: ServiceError): 'size' | 'final' | 'passing' {
  if (sizeErrors.has(code)) return 'size';
  return permanentErrors.has(code) ? 'final' : 'passing';
}
