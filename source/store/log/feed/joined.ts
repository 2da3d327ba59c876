import { createStore } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { ChangeListener, GapEntry } from '../../../tail/arena/entries.ts';
import { JoinedEntries } from '../../../tail/joined/joined-entries.ts';
import { rowNanoseconds, toRow } from '../../../tail/arena/row.ts';
import type { LogConnectionState } from './connection.ts';
import { turnOf } from '../../time/clock.ts';
import { FollowedLog, type FollowedLogOptions } from './followed-log.ts';
import { defaultLogMemory, type LogSource, type LogsState } from './log-source.ts';

/** The logs of several deployments as one; each has its own connection, gaps and history. */
export interface JoinedLogs extends LogSource {
  /** Logs by member number; see `member` of an entry. */
  readonly members: readonly FollowedLog[];
  /** Returns the member with the worst connection. */
  worstMember(): FollowedLog | undefined;
}

export type JoinedLogsOptions = Omit<FollowedLogOptions, 'deploymentId' | 'follow'> & {
  readonly deploymentIds: readonly string[];
};

export function createJoinedLogs(options: JoinedLogsOptions): JoinedLogs {
  const { deploymentIds, clock, publishInterval = 33, ...each } = options;
  const { maxLines = defaultLogMemory.maxLines, maxBytes = defaultLogMemory.maxBytes } = options;
  const bounds = {
    maxLines: Math.floor(maxLines / deploymentIds.length),
    maxBytes: Math.floor(maxBytes / deploymentIds.length),
  };
  const members = deploymentIds.map(
    (deploymentId) => new FollowedLog({ ...each, clock, publishInterval, ...bounds, deploymentId }),
  );
  const entries = new JoinedEntries<LogLine>(
    members.map((member) => member.entries),
    preciseTime,
  );
  const listeners = new Set<ChangeListener>();
  const memberStates = () => members.map(({ state }) => state.getState());
  let version = 0;
  let stopped = false;

  const notify: ChangeListener = (runs, dropped) => {
    version += 1;
    for (const listener of listeners) listener(runs, dropped);
    publishSoon();
    if (entries.hides) cancelReveal ??= clock.after(0, reveal);
  };

  let cancelReveal: (() => void) | undefined;
  /** Reveals some of the hidden entries per turn, so that key presses are handled in between. */
  const reveal = (): void => {
    cancelReveal = undefined;
    const runs = entries.reveal();
    if (runs !== undefined) notify(runs);
  };

  const isRevealing = (): boolean => cancelReveal !== undefined && !stopped;

  const currentState = (): LogsState => {
    const states = memberStates();
    const sum = (pick: (state: LogsState) => number) =>
      states.reduce((subtotal, one) => subtotal + pick(one), 0);
    return {
      version,
      connection: states[worstOf(states)]?.connection ?? { kind: 'connecting', error: undefined },
      ready: states.every(({ ready }) => ready),
      older: olderOf(states, entries.beginning),
      olderError: states.find(({ olderError }) => olderError !== undefined)?.olderError,
      received: sum(({ received }) => received),
      unreadable: sum(({ unreadable }) => unreadable),
      others: sum(({ others }) => others),
      rate: sum(({ rate }) => rate),
      labels: [...new Set(states.flatMap(({ labels }) => labels))],
    };
  };
  const state = createStore<LogsState>(currentState);

  let cancelPublish: (() => void) | undefined;
  const publishSoon = (): void => {
    if (stopped) return;
    if (publishInterval === 0) publish();
    // Each member publishes once a frame already, at its own time.
    else cancelPublish ??= clock.after(publishInterval / 4, publish);
  };
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    state.setState(currentState(), true);
  };

  const unsubscribes = members.flatMap((member, number) => [
    member.onInserted((runs, dropped) => {
      const inserted = entries.applyChange(number, runs, clock.now(), dropped);
      notify(inserted, entries.takeDropped());
    }),
    member.state.subscribe(({ ready, older }) => {
      const { length } = entries;
      // While its first lines are loading, a member hides no lines of the others.
      const isBegun = ready && member.entries.length > 0;
      if (older !== 'loading') entries.setLacksOlder(number, isBegun && older !== 'none');
      if (entries.length !== length || entries.hides) notify([]);
      else publishSoon();
    }),
  ]);

  /** Returns the member that a gap belongs to, and its own entry of the gap. */
  const ownGap = (gap: GapEntry<LogLine>) => {
    const log = members[gap.member ?? -1];
    const own = log?.entries.gaps.find(({ place }) => place === gap.place);
    return log === undefined || own === undefined ? undefined : { log, gap: own };
  };

  return {
    entries,
    members,
    state,
    received: () => members.reduce((total, member) => total + member.received(), 0),
    worstMember: () => members[worstOf(memberStates())],
    show(shown) {
      for (const [number, member] of members.entries()) {
        member.show((level) => {
          const now = shown(level);
          return now && entries.shownOf(number, now);
        });
      }
    },
    services: () => [...new Set(members.flatMap((member) => member.services()))],
    onInserted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    olderWanted(lines) {
      const { beginning } = entries;
      const pagedMembers = members.filter(
        (_, number) => beginning === undefined || number === beginning,
      );
      return pagedMembers.map((member) => member.olderWanted(lines)).includes(true);
    },
    async readTime(search) {
      const results = await Promise.all(members.map((member) => member.readTime(search)));
      // The lines of one log are hidden until those of the others are there too.
      while (isRevealing()) await turnOf(clock);
      return results.flat();
    },
    async readBeside(gap, side) {
      const own = ownGap(gap);
      return own !== undefined && (await own.log.readBeside(own.gap, side));
    },
    walk(start) {
      const own = start.gap && ownGap(start.gap);
      // Lines of the other logs before the one that begins last are hidden until it is read.
      const member = start.gap?.member ?? entries.beginning ?? 0;
      const log = start.gap === undefined ? members[member] : own?.log;
      return log?.walk({ ...start, gap: own?.gap, member });
    },
    hintedTime: async () => undefined,
    retryGaps() {
      for (const member of members) member.retryGaps();
    },
    reconnect() {
      for (const member of members) member.reconnect();
    },
    stop() {
      if (stopped) return;
      for (const member of members) member.stop();
      for (const end of unsubscribes) end();
      cancelReveal?.();
      publish();
      stopped = true;
    },
  };
}

/** Returns the time of a line in ms since the epoch, with what it has below a ms (a double tells some 250 ns). */
function preciseTime(line: LogLine): number | undefined {
  const time = rowNanoseconds(toRow(line));
  return time === undefined ? undefined : Number(time) / 1e6;
}

const severity: Readonly<Record<LogConnectionState['kind'], number>> = {
  live: 0,
  polling: 1,
  connecting: 2,
  retrying: 3,
  stopped: 4,
};

/** Returns the index of the worst connection. A completed stream counts as the best. */
function worstOf(states: readonly LogsState[]): number {
  const ranks = states.map(({ connection }) => {
    const isComplete = connection.kind === 'stopped' && connection.error?.code === 'ended';
    return isComplete ? -1 : severity[connection.kind];
  });
  return ranks.indexOf(Math.max(...ranks));
}

/** Returns the state of older lines of the member that begins last. */
function olderOf(states: readonly LogsState[], beginning: number | undefined): LogsState['older'] {
  if (states.some(({ older }) => older === 'loading')) return 'loading';
  const first = beginning === undefined ? undefined : states[beginning];
  if (first !== undefined) return first.older;
  return states.find(({ older }) => older !== 'none')?.older ?? 'none';
}
