import { createStore } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Inserted } from '../../../tail/arena/entries.ts';
import { JoinedEntries } from '../../../tail/joined/joined-entries.ts';
import { rowOf, rowTime } from '../../../tail/arena/row.ts';
import type { LogConnectionState } from './connection.ts';
import { createLogs, type Logs, type LogSource, type LogsOptions, type LogsState } from './logs.ts';

/** Most deployments in one tail. */
export { mostMembers } from '../../../tail/joined/joined-order.ts';

/** The logs of several deployments as one; each keeps its connection, its gaps and its history. */
export interface JoinedLogs extends LogSource {
  /** An entry's `member` counts them. */
  readonly members: readonly Logs[];
  /** The member whose connection is the worst. */
  worst(): Logs | undefined;
}

export type JoinedLogsOptions = Omit<LogsOptions, 'deploymentId' | 'follow'> & {
  readonly deploymentIds: readonly string[];
};

export function createJoinedLogs(options: JoinedLogsOptions): JoinedLogs {
  const { deploymentIds, clock, frame = 33, ...each } = options;
  const { maxLines = 2_000_000, maxBytes = 256 * 1024 * 1024 } = options;
  const bounds = {
    maxLines: Math.floor(maxLines / deploymentIds.length),
    maxBytes: Math.floor(maxBytes / deploymentIds.length),
  };
  const members = deploymentIds.map((deploymentId) =>
    createLogs({ ...each, clock, frame, ...bounds, deploymentId }),
  );
  const entries = new JoinedEntries<LogLine>(
    members.map((member) => member.entries),
    (line) => rowTime(rowOf(line)),
  );
  const listeners = new Set<(runs: readonly Inserted[]) => void>();
  const states = () => members.map(({ state }) => state.getState());
  let version = 0;
  let stopped = false;

  const tell = (runs: readonly Inserted[]): void => {
    version += 1;
    for (const listener of listeners) listener(runs);
    publishSoon();
    if (entries.hides) cancelReveal ??= clock.after(0, reveal);
  };

  let cancelReveal: (() => void) | undefined;
  /** Some at a time, so that keys come in between. */
  const reveal = (): void => {
    cancelReveal = undefined;
    const runs = entries.reveal();
    if (runs !== undefined) tell(runs);
  };

  const stateNow = (): LogsState => {
    const all = states();
    const sum = (of: (state: LogsState) => number) => all.reduce((so, one) => so + of(one), 0);
    return {
      version,
      connection: all[worstOf(all)]?.connection ?? { kind: 'connecting', error: undefined },
      ready: all.every(({ ready }) => ready),
      older: olderOf(all, entries.beginning),
      received: sum(({ received }) => received),
      others: sum(({ others }) => others),
      rate: sum(({ rate }) => rate),
    };
  };
  const state = createStore<LogsState>(stateNow);

  let cancelPublish: (() => void) | undefined;
  const publishSoon = (): void => {
    if (stopped) return;
    if (frame === 0) publish();
    // The members publish once a frame themselves, each at a time of its own.
    else cancelPublish ??= clock.after(frame / 4, publish);
  };
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    state.setState(stateNow(), true);
  };

  const ends = members.flatMap((member, number) => [
    member.onInserted((runs) => tell(entries.changed(number, runs, clock.now()))),
    member.state.subscribe(({ ready, older }) => {
      const { length } = entries;
      // While its first lines come in, nothing that is shown is taken away for them.
      const isBegun = ready && member.entries.length > 0;
      if (older !== 'loading') entries.lacksOlder(number, isBegun && older !== 'none');
      if (entries.length !== length || entries.hides) tell([]);
      else publishSoon();
    }),
  ]);

  return {
    entries,
    members,
    state,
    worst: () => members[worstOf(states())],
    services: () => [...new Set(members.flatMap((member) => member.services()))],
    onInserted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    olderWanted(lines) {
      const { beginning } = entries;
      const asked = members.filter((_, number) => beginning === undefined || number === beginning);
      return asked.map((member) => member.olderWanted(lines)).includes(true);
    },
    retryGaps() {
      for (const member of members) member.retryGaps();
    },
    retry() {
      for (const member of members) member.retry();
    },
    stop() {
      if (stopped) return;
      for (const member of members) member.stop();
      for (const end of ends) end();
      cancelReveal?.();
      publish();
      stopped = true;
    },
  };
}

const badness: Readonly<Record<LogConnectionState['kind'], number>> = {
  live: 0,
  polling: 1,
  connecting: 2,
  retrying: 3,
  stopped: 4,
};

/** Returns the index of the worst connection. A stream that is complete is no trouble. */
function worstOf(states: readonly LogsState[]): number {
  const all = states.map(({ connection }) => {
    const isComplete = connection.kind === 'stopped' && connection.error?.code === 'ended';
    return isComplete ? -1 : badness[connection.kind];
  });
  return all.indexOf(Math.max(...all));
}

/** What there is before the first line: that of the member that begins last. */
function olderOf(states: readonly LogsState[], beginning: number | undefined): LogsState['older'] {
  if (states.some(({ older }) => older === 'loading')) return 'loading';
  const first = beginning === undefined ? undefined : states[beginning];
  if (first !== undefined) return first.older;
  return states.find(({ older }) => older !== 'none')?.older ?? 'none';
}
