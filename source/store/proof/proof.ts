/** The proof of one restart: watches the run, judges it once, and then goes on for crashes. */
import type { LogsClient } from '../../client/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Clock } from '../time/clock.ts';
import { crashSpan } from './crash-span.ts';
import { type ObservedRun, observeRun, unobservedRun } from './crashes.ts';
import {
  gatherEvidence,
  type ProvedRestart,
  recordedSamples,
  wantedFrom,
} from './gather-evidence.ts';
import { judgeRun, type RunJudgement } from './judge.ts';
import { openProofLog } from './proof-log.ts';
import type { RecordedSample } from './proof-record.ts';

/** The state of a proof. */
export type ProofState =
  /** `left` is the number of seconds to go. */
  | { readonly kind: 'proving'; readonly left: number }
  | {
      readonly kind: 'judged';
      readonly judgement: RunJudgement;
      readonly samples: readonly RecordedSample[];
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
  let state: ProofState = { kind: 'proving', left: leftSeconds() };
  let cancelTimer = clock.after(untilNextSecond(), tick);
  let isStopped = false;

  function elapsed(): number {
    return clock.serviceNow() - at;
  }

  function leftSeconds(): number {
    return Math.max(0, Math.ceil(seconds - elapsed() / second));
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
    const left = leftSeconds();
    if (elapsed() >= seconds * second + lateLines) return finish();
    if (state.left !== left) enter({ kind: 'proving', left });
    cancelTimer = clock.after(untilNextSecond(), tick);
  }

  /** Judges the run, as soon as the lines that are being fetched are there. */
  function finish(): void {
    const span = { from: at, to: at + seconds * second };
    // A proof that is resumed begins after its last second.
    const isOver =
      elapsed() >= seconds * second + lateLines + fetchLimit &&
      clock.now() - openedAt >= fetchLimit;
    if (log.isFetching(span) && !isOver) {
      cancelTimer = clock.after(fetchStep, finish);
      return;
    }
    judge();
  }

  function judge(): void {
    // A crash ends the proof within a second, whose last lines tell of it.
    const passed = Math.min(seconds, Math.max(1, Math.ceil(elapsed() / second)));
    // After a crash the deployment tells the start behind it, not the one of the run.
    const after = run.crashes + run.unexplained > 0 ? undefined : run.last;
    const judged = { after, elapsed: passed, proof: seconds };
    const services = gatherEvidence(restart, log, judged);
    const { crashes, isStarting, unexplained } = run;
    const isRestartedAgain = run.isRestartedAgain || unexplained > 0;
    const isReached = log.knownFrom() <= at + slowestOpening;
    const unread =
      log.unread({ from: at, to: at + passed * second }) ??
      (isReached ? undefined : 'its log is too long to be read back to the restart');
    const evidence = { services, crashes, rolledBack, isRestartedAgain, isStarting, unread };
    const judgement = judgeRun(evidence);
    const samples = recordedSamples(services);
    cancelTimer();
    log.stop();
    const isWatched = !isRestartedAgain;
    enter({ kind: 'judged', judgement, samples, isWatched });
    if (!isWatched || isStopped) return;
    const left = seconds * second + crashSpan - elapsed();
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
