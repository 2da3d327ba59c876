import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient } from '../../client/client.ts';
import type { Result } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { ChangedFile, PendingRestart, RestartJournal } from './journal.ts';
import { nextStep, reduceRestarts, type RestartEvent, countdownState } from './countdown.ts';
import { isSamePending, pendingRestarts } from './pending.ts';
import type { Restart, RestartDelay, Restarts } from './state.ts';

/** The restarts of all deployments: counted, sent, kept. */
export interface RestartsStore {
  readonly state: StoreApi<Restarts>;
  /** Files were changed that take effect with a restart: it counts anew. */
  changed(deployment: string, ...files: readonly ChangedFile[]): void;
  /**
   * Reports a file that was written, moved or deleted: the countdown of its deployment starts anew.
   * Resolves when the pending restart is in the journal, or cannot be written there.
   */
  fileChanged(file: ChangedFile & { readonly deploymentId: string }): Promise<void>;
  /**
   * A file operation begins: no restart counts to its end before it. The returned function is to be
   * called when it has ended, with what it changed, or with nothing when it failed.
   */
  operation(deployment: string): (...changed: readonly ChangedFile[]) => void;
  /** Sends one now; false when one is under way already. */
  restart(deployment: string): boolean;
  /** Sends nothing; false when one is under way already, or there is nothing to cancel. */
  cancel(deployment: string): boolean;
  forget(deployment: string): void;
  /** Nothing is counted from `true` to `false`; what goes on then has 2 s at least. */
  hold(held: boolean): void;
  /**
   * For the end of the program: counts out and sends what can be sent within `limit` ms, and waits
   * for the answers and for file operations. What is left by then stays in the journal.
   */
  settle(limit: number): Promise<void>;
  stop(): void;
}

/** The delay unless another one is asked for, ms. */
const usualDelay = 5000;

export interface RestartsOptions {
  readonly client: Pick<DeploymentsClient, 'restart'>;
  readonly clock: Clock;
  readonly delay?: RestartDelay | undefined;
  readonly journal?: RestartJournal | undefined;
  /** What the journal held at the start. */
  readonly owed?: readonly PendingRestart[] | undefined;
  /** What people call a deployment. */
  readonly name?: (deployment: string) => string;
  /** Called with the outcome of each restart, after the state and the journal have it. */
  readonly onAnswer?: (deployment: string, result: Result<void>) => void;
}

interface Timer {
  readonly of: Restart;
  readonly cancel: () => void;
}

export function createRestarts(options: RestartsOptions): RestartsStore {
  const { client, clock, journal, onAnswer, owed = [], name = (id) => id } = options;
  let machine = countdownState(options.delay ?? usualDelay, owed);
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
    const result = await client.restart(deployment);
    const at = clock.now();
    // Forgotten meanwhile, it is nobody's business any more.
    if (!apply({ kind: 'answered', deployment, at, request, result })) return;
    await writing;
    onAnswer?.(deployment, result);
  }

  /** Writes what is owed, when that is something else than what was written last. */
  function keep(): void {
    const entries = pendingRestarts(machine.restarts, name);
    if (isSamePending(entries, kept)) return;
    kept = entries;
    writing = both(writing, journal?.write(entries));
  }

  /** One timer for each count that runs; a count that changed has a new one. */
  function arm(): void {
    for (const [id, timer] of timers) {
      if (!machine.held && !stopped && machine.restarts.get(id) === timer.of) continue;
      timer.cancel();
      timers.delete(id);
    }
    if (machine.held || stopped) return;
    for (const [id, restart] of machine.restarts) {
      if (restart.kind !== 'counting' || restart.left === 0 || timers.has(id)) continue;
      const cancel = clock.after(nextStep(restart.left), () => {
        apply({ kind: 'due', deployment: id, at: clock.now() });
      });
      timers.set(id, { of: restart, cancel });
    }
  }

  function changed(deployment: string, ...files: readonly ChangedFile[]): void {
    apply({ kind: 'changed', deployment, files, at: clock.now() });
  }

  function stop(): void {
    stopped = true;
    arm();
  }

  function hold(held: boolean): void {
    if (!held) apply({ kind: 'release', at: clock.now() });
    else if (!settling) apply({ kind: 'hold' });
  }

  return {
    state,
    hold,
    stop,
    changed,
    fileChanged({ deploymentId, service, path }) {
      changed(deploymentId, { service, path });
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
    forget(deployment) {
      apply({ kind: 'gone', deployment });
    },
    settle(limit) {
      settling = true;
      hold(false);
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
