import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient } from '../../client/deployments.ts';
import type { Result } from '../../client/http/errors.ts';
import { defaultRestartDelay } from '../../contract/restart-delay.ts';
import type { IntendedChange, UploadWrites } from '../drafts/file-writes.ts';
import type { Clock } from '../time/clock.ts';
import { intendedFields, Intents, isIntent } from './intents.ts';
import type { ChangedFile, PendingRestart, RestartJournal } from './journal.ts';
import { nextStep, reduceRestarts, type RestartEvent, countdownState } from './countdown.ts';
import { isSamePending, pendingRestarts } from './pending.ts';
import type { Restart, RestartDelay, Restarts } from './state.ts';

/** The restarts of all deployments: their countdowns, requests and journal. */
export interface RestartsStore {
  readonly state: StoreApi<Restarts>;
  /** Starts the countdown again after files were changed. */
  filesChanged(deployment: string, ...files: readonly ChangedFile[]): void;
  /**
   * Reports a written, moved or deleted file: the countdown of its deployment starts again. Resolves
   * when the pending restart is in the journal, or can't be written.
   */
  fileChanged(file: ChangedFile & { readonly deploymentId: string }): Promise<void>;
  /** See {@link FileWrites.intend}. */
  intend(file: IntendedPlace, change: IntendedChange): Promise<void>;
  notChanged(file: IntendedPlace): void;
  readonly intendUpload: UploadWrites['intendUpload'];
  /** Returns the changes that earlier runs intended, and of which nobody knows whether they happened. */
  leftIntents(): readonly PendingRestart[];
  /**
   * Ends an intended write of an earlier run, with a pending restart for the files that it changed. Does
   * nothing when a later write, a restart or the end of the deployment has ended it meanwhile.
   */
  resolveIntent(intent: PendingRestart, changed: readonly ChangedFile[]): void;
  /**
   * Begins a file operation; no restart is sent before it has ended. The returned function must be
   * called at its end, with the changed files or with none after a failure.
   */
  operation(deployment: string): (...changed: readonly ChangedFile[]) => void;
  /** Sends a restart now; false when one is in flight. */
  restart(deployment: string): boolean;
  /** Cancels the countdown; false when a restart is in flight or there is no countdown. */
  cancel(deployment: string): boolean;
  /** Drops the changes of a deployment that another program has restarted since. */
  applied(deployment: string): void;
  /** Drops the restart and the intended writes of a deployment that is closed or gone. */
  forget(deployment: string): void;
  /** Pauses or resumes all countdowns; a resumed one has at least 2 s left. */
  setPaused(paused: boolean): void;
  /**
   * Finishes before the program ends: lets countdowns that end within `limit` ms run out, then waits
   * for answers and file operations. Restarts left after `limit` ms stay in the journal.
   */
  settle(limit: number): Promise<void>;
  /** Changes the delay; a countdown that runs keeps its time. */
  setDelay(delay: RestartDelay): void;
  stop(): void;
}

export interface RestartsOptions {
  readonly client: Pick<DeploymentsClient, 'restart'>;
  readonly clock: Clock;
  readonly delay?: RestartDelay | undefined;
  readonly journal?: RestartJournal | undefined;
  /** Entries of the journal at the start. */
  readonly owed?: readonly PendingRestart[] | undefined;
  /** Returns the label of a deployment. */
  readonly name?: (deployment: string) => string;
  /** Called with the outcome of each restart, after the state and the journal were updated. */
  readonly onAnswer?: (deployment: string, result: Result<void>) => void;
}

type IntendedPlace = ChangedFile & { readonly deploymentId: string };

interface Timer {
  readonly of: Restart;
  readonly cancel: () => void;
}

export function createRestarts(options: RestartsOptions): RestartsStore {
  const { client, clock, journal, onAnswer, owed = [], name = (id) => id } = options;
  const delay = options.delay ?? defaultRestartDelay;
  let machine = countdownState(
    delay,
    owed.filter((entry) => !isIntent(entry)),
  );
  const intents = new Intents(owed.filter(isIntent));
  let stopped = false;
  let settling = false;
  let kept = owed;
  let writing = Promise.resolve();
  const timers = new Map<string, Timer>();
  const watchers = new Set<() => void>();
  const state = createStore<Restarts>(() => machine.restarts);

  function apply(event: RestartEvent): boolean {
    const before = machine;
    machine = reduceRestarts(before, event);
    if (machine === before) return false;
    const isSent = machine.requests !== before.requests;
    keep();
    arm();
    if (isSent && !stopped && 'deployment' in event) void send(event.deployment, machine.requests);
    if (state.getState() !== machine.restarts) state.setState(machine.restarts, true);
    for (const watcher of watchers) watcher();
    return true;
  }

  async function send(deployment: string, request: number): Promise<void> {
    // A write that is under way may reach the service after the new run has read the files.
    const applied = machine.operations.has(deployment) ? [] : intents.of(deployment);
    const result = await client.restart(deployment);
    // Whether they happened or not, the new run has read the files.
    if (result.ok) intents.drop(applied);
    const at = clock.now();
    // The deployment was dropped meanwhile.
    if (!apply({ kind: 'answered', deployment, at, request, result })) return;
    await writing;
    onAnswer?.(deployment, result);
  }

  function note(deploymentId: string, files: readonly ChangedFile[]): PendingRestart {
    const noted = { deploymentId, name: name(deploymentId), files, since: clock.now() };
    const entry = { ...noted, state: 'intended' } as const;
    intents.add(entry);
    keep();
    return entry;
  }

  /** Writes the pending restarts to the journal when they have changed. */
  function keep(): void {
    const entries = [...pendingRestarts(machine.restarts, name), ...intents.all];
    if (isSamePending(entries, kept)) return;
    kept = entries;
    writing = both(writing, journal?.write(entries));
  }

  /** Sets one timer for each running countdown and cancels the timers of changed ones. */
  function arm(): void {
    for (const [id, timer] of timers) {
      if (!machine.isPaused && !stopped && machine.restarts.get(id) === timer.of) continue;
      timer.cancel();
      timers.delete(id);
    }
    if (machine.isPaused || stopped) return;
    for (const [id, restart] of machine.restarts) {
      if (restart.kind !== 'counting' || restart.left === 0 || timers.has(id)) continue;
      const cancel = clock.after(nextStep(restart.left), () => {
        apply({ kind: 'due', deployment: id, at: clock.now() });
      });
      timers.set(id, { of: restart, cancel });
    }
  }

  function filesChanged(deployment: string, ...files: readonly ChangedFile[]): void {
    apply({ kind: 'changed', deployment, files, at: clock.now() });
  }

  function stop(): void {
    stopped = true;
    arm();
  }

  function setPaused(paused: boolean): void {
    if (!paused) apply({ kind: 'resume', at: clock.now() });
    else if (!settling) apply({ kind: 'pause' });
  }

  return {
    state,
    setPaused,
    stop,
    setDelay(delay) {
      apply({ kind: 'delay', delay });
    },
    filesChanged,
    async intend({ deploymentId, service, path }, change) {
      const intended = await intendedFields(change);
      note(deploymentId, [{ service, path, ...intended }]);
      await writing;
    },
    async intendUpload({ deploymentId, service }, files) {
      const noted = files.map((file) => ({ service, ...file }));
      const entry = note(deploymentId, noted);
      await writing;
      return {
        arrived() {
          const places = files.map(({ path }) => ({ service, path }));
          intents.drop([entry, ...intents.at(deploymentId, places)]);
          filesChanged(deploymentId, ...places);
          return writing;
        },
        refused() {
          intents.drop([entry]);
          keep();
        },
      };
    },
    notChanged({ deploymentId, ...file }) {
      if (intents.dropOwn(deploymentId, file)) keep();
    },
    leftIntents: () => intents.left,
    resolveIntent(intent, files) {
      if (!intents.dropLeft(intent)) return;
      const { deploymentId: deployment } = intent;
      const entry = { ...intent, files };
      if (files.length === 0 || !apply({ kind: 'found', deployment, entry })) keep();
    },
    fileChanged({ deploymentId, service, path }) {
      // One write of the journal replaces the intents by the pending restart.
      intents.drop(intents.at(deploymentId, [{ service, path }]));
      filesChanged(deploymentId, { service, path });
      return writing;
    },
    operation(deployment) {
      let ended = false;
      apply({ kind: 'operation started', deployment });
      return (...files) => {
        if (ended) return;
        ended = true;
        apply({ kind: 'operation ended', deployment, files, at: clock.now() });
      };
    },
    restart: (deployment) => apply({ kind: 'restart-now', deployment, at: clock.now() }),
    cancel: (deployment) => apply({ kind: 'cancel', deployment }),
    applied(deployment) {
      apply({ kind: 'gone', deployment });
    },
    forget(deployment) {
      intents.drop(intents.of(deployment));
      if (!apply({ kind: 'gone', deployment })) keep();
    },
    settle(limit) {
      settling = true;
      setPaused(false);
      const tooLong = new Set(
        [...machine.restarts]
          .filter(([, restart]) => restart.kind === 'counting' && restart.left > limit)
          .map(([id]) => id),
      );
      const isWaiting = ([id, { kind }]: readonly [string, Restart]) =>
        kind === 'restarting' || (kind === 'counting' && !tooLong.has(id));
      return new Promise((resolve) => {
        const finish = (): void => {
          cancel();
          watchers.delete(check);
          stop();
          resolve();
        };
        const check = (): void => {
          if (machine.operations.size === 0 && ![...machine.restarts].some(isWaiting)) finish();
        };
        const cancel = clock.after(limit, finish);
        watchers.add(check);
        check();
      });
    },
  };
}

async function both(one: Promise<void>, other: Promise<void> | void): Promise<void> {
  await one;
  await other;
}
