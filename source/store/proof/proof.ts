/** The proof of one restart: watches the run, judges it once, and then goes on for crashes. */
import type { LogsClient } from '../../client/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Clock } from '../time/clock.ts';
import { type ObservedRun, observeRun, unobservedRun } from './crashes.ts';
import { gatherErrors, judgedFrom, type ProvedRestart, wantedFrom } from './evidence.ts';
import { judgeRun, type RunJudgement } from './judge.ts';
import { openProofLog } from './proof-log.ts';
import { crashSpan } from './proof-record.ts';

/** The state of a proof. */
export type ProofState =
  /** `left` is the number of seconds to go; undefined while the proof waits for the end of a rollout. */
  | { readonly kind: 'proving'; readonly left: number | undefined }
  | {
      readonly kind: 'judged';
      readonly judgement: RunJudgement;
      /** True while a crash would still change the verdict. */
      readonly isWatched: boolean;
    };

export interface Proof {
  state(): ProofState;
  /** Takes an observation of the deployment, as it is listed. */
  observe(deployment: Deployment): void;
  /** Ends the proof, because the deployment is being restarted again. */
  restartedAgain(): void;
  stop(): void;
}

/** Milliseconds in which lines of the last second may come late. */
const lateLines = 1500;

/** Milliseconds to wait for lines that are being fetched at the end. */
const fetchLimit = 8000;
const fetchStep = 250;

/** Milliseconds from the request to the first line that is followed, of a log that is long. */
const slowestOpening = 2000;

/** Milliseconds from the request to the restart that the service tells, at most. */
const slowestRestart = 60_000;

/** Milliseconds from the request after which a restart that goes on replaces the version before step by step. */
const quickRestart = 3000;

/**
 * Milliseconds from the request for which a rollout is waited for, at most. A host on a swarm ends each of its
 * two steps after ten minutes itself.
 */
const longestRollout = 1_200_000;

const second = 1000;

/** Begins the proof of a restart that the service has accepted. */
export function startProof(options: {
  readonly restart: ProvedRestart;
  /** Seconds to watch. */
  readonly seconds: number;
  readonly client: LogsClient;
  readonly clock: Clock & { serviceNow(): number };
  readonly random: () => number;
  /** Called with each new state. */
  readonly onState: (state: ProofState) => void;
}): Proof {
  const { restart, seconds, client, clock, random, onState } = options;
  const { deploymentId, at } = restart;
  const openedAt = clock.now();
  const log = openProofLog({
    client,
    deploymentId,
    clock,
    random,
    wantedFrom: wantedFrom(restart),
  });
  let run: ObservedRun = unobservedRun(restart.before);
  let rolledBack: string | undefined;
  /** Milliseconds from the request to the end of a rollout, as far as it is known; undefined for a quick restart. */
  let rolloutMs: number | undefined;
  let state: ProofState = { kind: 'proving', left: leftSeconds() };
  let cancelTimer = clock.after(untilNextSecond(), tick);
  let isStopped = false;

  function elapsed(): number {
    return clock.serviceNow() - at;
  }

  function isWaiting(): boolean {
    return run.isRollingOut && elapsed() < longestRollout;
  }

  /** Returns the deployment as it was observed last, unless it tells a start behind a crash. */
  function afterRun(): Deployment | undefined {
    return run.crashes + run.unexplained > 0 ? undefined : run.last;
  }

  /** Returns the last start of a long rollout, ms from the request. */
  function lastStart(): number {
    if (rolloutMs === undefined) return 0;
    const services = restart.before?.services ?? [];
    const starts = services.map(({ name }) =>
      judgedFrom(restart, log.tally, { after: afterRun(), rolloutMs }, name),
    );
    return Math.max(at, ...starts) - at;
  }

  /** Returns the end of the seconds to watch, ms from the request. */
  function watchedUntil(): number {
    return lastStart() + seconds * second;
  }

  function leftSeconds(): number {
    return Math.max(0, Math.ceil((watchedUntil() - elapsed()) / second));
  }

  function untilNextSecond(): number {
    const next = second - (((elapsed() % second) + second) % second);
    return leftSeconds() === 0 ? lateLines : next;
  }

  function enter(next: ProofState): void {
    state = next;
    onState(next);
  }

  function tick(): void {
    if (state.kind !== 'proving') return;
    const isOver = elapsed() >= watchedUntil() + lateLines;
    if (isOver && isWaiting()) rolloutMs = elapsed();
    else if (isOver) return finish();
    const left = rolloutMs !== undefined && isWaiting() ? undefined : leftSeconds();
    if (state.left !== left) enter({ kind: 'proving', left });
    cancelTimer = clock.after(untilNextSecond(), tick);
  }

  /** Judges the run, as soon as the lines that are being fetched are there. */
  function finish(): void {
    const span = { from: at, to: at + watchedUntil() };
    // A proof that is resumed begins after its last second.
    const isOver =
      elapsed() >= watchedUntil() + lateLines + fetchLimit && clock.now() - openedAt >= fetchLimit;
    if (log.isFetching(span) && !isOver) {
      cancelTimer = clock.after(fetchStep, finish);
      return;
    }
    judge();
  }

  function judge(): void {
    // A crash ends the proof within a second, whose last lines tell of it.
    const ran = elapsed() - lastStart();
    const passed = Math.min(seconds, Math.max(1, Math.ceil(ran / second)));
    const services = gatherErrors(restart, log, { after: afterRun(), elapsed: passed, rolloutMs });
    const { crashes, isStarting, unexplained } = run;
    const isRestartedAgain = run.isRestartedAgain || unexplained > 0;
    const isReached = log.knownFrom() <= at + slowestOpening;
    const unread =
      log.unread({ from: at, to: at + lastStart() + passed * second }) ??
      (isReached ? undefined : 'its log is too long to be read back to the restart');
    const evidence = { services, crashes, rolledBack, isRestartedAgain, isStarting, unread };
    const judgement = judgeRun(evidence);
    cancelTimer();
    log.stop();
    const isWatched = !isRestartedAgain;
    enter({ kind: 'judged', judgement, isWatched });
    if (!isWatched || isStopped) return;
    const left = watchedUntil() + crashSpan - elapsed();
    cancelTimer = clock.after(Math.max(0, left), endWatch);
  }

  function endWatch(): void {
    cancelTimer();
    if (state.kind === 'judged' && state.isWatched) enter({ ...state, isWatched: false });
  }

  /** Takes later crashes, and a restart that is undone later, into a verdict. */
  function addFailures(): void {
    if (state.kind !== 'judged') return;
    const { figures } = state.judgement;
    const { crashes } = run;
    if (figures.crashes >= crashes && figures.rolledBack === rolledBack) return;
    const judgement = { verdict: 'worse', figures: { ...figures, crashes, rolledBack } } as const;
    enter({ ...state, judgement });
  }

  /** Returns the reason for which the service has undone this restart, and not an earlier one. */
  function findRollback({ rolledBack: undone }: Deployment): string | undefined {
    if (undone === undefined || undone.at === restart.before?.rolledBack?.at) return undefined;
    return Date.parse(undone.at) > at ? undone.reason : undefined;
  }

  return {
    state: () => state,
    observe(deployment) {
      const isOver = isStopped || (state.kind === 'judged' && !state.isWatched);
      if (isOver || deployment.id !== deploymentId) return;
      run = observeRun(run, deployment, elapsed());
      const isLong = rolloutMs !== undefined || elapsed() >= quickRestart;
      if (isLong && run.isRollingOut) rolloutMs = elapsed();
      if (Date.parse(deployment.restartedAt ?? '') - at > slowestRestart) {
        run = { ...run, isRestartedAgain: true };
      }
      rolledBack ??= findRollback(deployment);
      if (state.kind === 'judged') {
        addFailures();
        if (run.isRestartedAgain) endWatch();
      } else if (run.crashes > 0 || rolledBack !== undefined || run.isRestartedAgain) judge();
    },
    restartedAgain() {
      run = { ...run, isRestartedAgain: true };
      if (state.kind === 'proving') judge();
      else endWatch();
    },
    stop() {
      isStopped = true;
      cancelTimer();
      log.stop();
    },
  };
}
