/** Follows the log of a deployment for a proof, and reads what it wrote before. */
import type { LogsClient } from '../../client/logs.ts';
import { rowTime, toRow } from '../../tail/arena/row.ts';
import { FollowedLog } from '../log/feed/followed-log.ts';
import { TimeReach } from '../../tail/log/time-walk.ts';
import type { Clock } from '../time/clock.ts';
import { LogTally, type TimeSpan } from './tally.ts';

export interface ProofLog {
  readonly tally: LogTally;
  /** Returns the time from which on all lines are known, but for the missing spans. */
  knownFrom(): number;
  /** Returns the spans in which lines are missing. */
  missing(): readonly TimeSpan[];
  /** Returns whether lines of a span are still being fetched. */
  isFetching(span: TimeSpan): boolean;
  /** Returns why lines of a span are not known; undefined where they are. */
  unread(span: TimeSpan): string | undefined;
  stop(): void;
}

/** Lines of history that are read at most: some ten pages. */
const mostHistory = 5000;
const firstHistory = 1000;

/** Limits of the memory for lines; they are counted as they come, and only the newest are kept. */
const memory = { maxLines: 100_000, maxBytes: 32 * 1024 * 1024 };

/**
 * Opens the log of a deployment. It has its own stream, because the log that the console shows may be
 * that of another deployment, filtered, or left at any time.
 *
 * @param wantedFrom time of the oldest line of interest, ms by the service's clock.
 */
export function openProofLog(options: {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly clock: Clock & { serviceNow(): number };
  readonly random: () => number;
  readonly wantedFrom: number;
}): ProofLog {
  const { client, deploymentId, clock, random, wantedFrom } = options;
  const tally = new LogTally();
  const reach = new TimeReach(wantedFrom);
  const logs = new FollowedLog({
    client,
    deploymentId,
    clock,
    random,
    initialLines: firstHistory,
    reach: {
      isReached: (all, end) => reach.isReached(all, end) || all.length >= mostHistory,
    },
    publishInterval: 250,
    ...memory,
  });
  const { entries } = logs;
  const end = logs.onInserted((runs) => {
    const now = clock.serviceNow();
    const live = logs.firstLive();
    for (const { first, count } of runs) {
      const begin = entries.indexOf(first);
      for (const [index, entry] of entries.slice(begin, begin + count).entries()) {
        const arrivedAt = begin + index < live ? undefined : now;
        if (entry.kind === 'line') tally.add(entry.line, arrivedAt);
      }
    }
  });

  function gaps(): readonly (TimeSpan & { readonly isFilling: boolean })[] {
    return entries.gaps.map(({ after, until, state }) => ({
      from: (after && rowTime(toRow(after))) ?? Number.NEGATIVE_INFINITY,
      to: rowTime(toRow(until)) ?? Number.POSITIVE_INFINITY,
      isFilling: state.kind === 'filling',
    }));
  }

  return {
    tally,
    knownFrom() {
      const isWhole = logs.ready() && logs.state.getState().older === 'none';
      return isWhole ? Number.NEGATIVE_INFINITY : (reach.knownFrom ?? tally.oldest());
    },
    missing: gaps,
    isFetching: (span) =>
      !logs.ready() || gaps().some((gap) => gap.isFilling && isOverlapping(gap, span)),
    unread(span) {
      const { connection } = logs.state.getState();
      const { error } = 'error' in connection ? connection : { error: undefined };
      const isOpen = connection.kind === 'live' || connection.kind === 'polling';
      if (!isOpen && error?.code !== 'ended') {
        return `its log can't be read${error === undefined ? '' : `: ${error.sentence}`}`;
      }
      if (!logs.ready()) return 'its log was not read in time';
      const isMissing = gaps().some((gap) => isOverlapping(gap, span));
      return isMissing ? 'lines of its log are missing' : undefined;
    },
    stop() {
      end();
      logs.stop();
    },
  };
}

export function isOverlapping(left: TimeSpan, right: TimeSpan): boolean {
  return left.from < right.to && right.from < left.to;
}
