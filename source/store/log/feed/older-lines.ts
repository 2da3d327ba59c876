import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import type { PageRequest } from '../../../tail/log/page-request.ts';
import type { LogHistory } from './history.ts';

/** State of the lines before the oldest one. */
export interface OlderState {
  /** `full` when memory has no room for them. */
  readonly older: 'more' | 'loading' | 'none' | 'full';
  /** The error of the last request for them; undefined when it brought lines. */
  readonly olderError: ServiceError | undefined;
  /** The offset of that request. */
  readonly olderErrorOffset?: number | undefined;
}

/** Fetches the lines before the oldest one. */
export interface OlderLines {
  state(): OlderState;
  /** Notes the answer to a request; `error` is undefined when it is a page. */
  noteAnswer(error: ServiceError | undefined, request: PageRequest): void;
  /** Requests a page. Returns false when that is not possible now. */
  wanted(lines: number): boolean;
  /** Requests `lines` again if the last request failed. */
  retry(lines: number): void;
}

export function createOlderLines(
  history: Pick<LogHistory, 'log' | 'run'>,
  sequence: Pick<Sequence<LogLine>, 'isFull' | 'length'>,
): OlderLines {
  let error: ServiceError | undefined;
  let errorOffset: number | undefined;
  const { log } = history;
  const isLoading = (): boolean => log.asking?.target === 'older';

  const older = (): OlderState['older'] => {
    if (isLoading()) return 'loading';
    if (log.isComplete) return 'none';
    return sequence.isFull ? 'full' : 'more';
  };

  return {
    state: () => ({
      older: older(),
      olderError: log.isComplete ? undefined : error,
      olderErrorOffset: errorOffset,
    }),
    noteAnswer(answered, { target, offset }) {
      // With no line at hand, the newest lines are earlier ones as well.
      const hasFailed = target === 'older' || (target === 'head' && sequence.length === 0);
      if (answered !== undefined && hasFailed) [error, errorOffset] = [answered, offset];
      if (answered === undefined && (target === 'older' || target === 'head')) error = undefined;
    },
    wanted(lines) {
      if (log.isComplete || sequence.isFull || isLoading()) return false;
      history.run(() => log.older(lines));
      return true;
    },
    retry(lines) {
      if (error === undefined || log.isComplete) return;
      history.run(() => (sequence.length === 0 ? log.poll() : log.older(lines)));
    },
  };
}
