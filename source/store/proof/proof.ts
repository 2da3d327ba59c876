/** The proof of one restart: watches the run, judges it once, and then goes on for crashes. */
import type { LogsClient } from '../../client/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Clock } from '../time/clock.ts';
import { type ObservedRun, observeRun, unobservedRun } from './crashes.ts';
import { judgeRun, type RunJudgement } from './judge.ts';
import { ProofLog, type ProvedRestart } from './proof-log.ts';
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

export interface ProofOptions {
  readonly restart: ProvedRestart;
  /** Seconds to watch. */
  readonly seconds: number;
  readonly client: LogsClient;
  readonly clock: Clock & { serviceNow(): number };
  readonly random: () => number;
  /** Called with each new state. */
  readonly onState: (state: ProofState) => void;
}

const second = 1000;

/** Milliseconds in which lines of the last second may come late. */
const lateLines = 1500;

/** Milliseconds to wait for lines that are being fetched at the end. */
const fetchLimit = 8000;
const fetchStep = 250;

/** Milliseconds from the request to the restart that the service tells, at most. */
const slowestRestart = 60_000;

/** Milliseconds from the request after which a restart that goes on replaces the version before step by step. */
const quickRestart = 3000;

/**
 * Milliseconds from the request for which a rollout is waited for, at most. A host on a swarm ends each of its
 * two steps after ten minutes itself.
 */
const longestRollout = 1_200_000;

/** Begins with a restart that the service has accepted. Times are ms by the service's clock. */
export class Proof {
  readonly #options: ProofOptions;
  readonly #openedAt: number;
  readonly #log: ProofLog;
  #run: ObservedRun;
  #rolledBack: string | undefined;
  /** The end of a rollout, as far as it is known; undefined for a quick restart. */
  #rolloutEnd: number | undefined;
  #state: ProofState;
  #cancelTimer: () => void;
  #isStopped = false;

  constructor(options: ProofOptions) {
    const { restart, clock } = options;
    this.#options = options;
    this.#openedAt = clock.now();
    this.#log = new ProofLog(restart, options);
    this.#run = unobservedRun(restart.before);
    this.#state = { kind: 'proving', left: this.#leftSeconds() };
    this.#cancelTimer = clock.after(this.#untilNextSecond(), () => this.#tick());
  }

  state(): ProofState {
    return this.#state;
  }

  /** Takes an observation of the deployment, as it is listed. */
  observe(deployment: Deployment): void {
    const { deploymentId, at, before } = this.#options.restart;
    const isOver = this.#isStopped || (this.#state.kind === 'judged' && !this.#state.isWatched);
    if (isOver || deployment.id !== deploymentId) return;
    this.#run = observeRun(this.#run, deployment, this.#elapsed());
    const isLong = this.#rolloutEnd !== undefined || this.#elapsed() >= quickRestart;
    if (isLong && this.#run.isRollingOut) this.#rolloutEnd = this.#now();
    if (Date.parse(deployment.restartedAt ?? '') - at > slowestRestart) {
      this.#run = { ...this.#run, isRestartedAgain: true };
    }
    const { rolledBack } = deployment;
    // Another time is that of an earlier restart.
    if (rolledBack?.at !== before?.rolledBack?.at && Date.parse(rolledBack?.at ?? '') > at) {
      this.#rolledBack ??= rolledBack?.reason;
    }
    const { crashes, isRestartedAgain } = this.#run;
    if (this.#state.kind === 'judged') {
      this.#addFailures(this.#state);
      if (isRestartedAgain) this.#endWatch();
    } else if (crashes > 0 || this.#rolledBack !== undefined || isRestartedAgain) this.#judge();
  }

  /** Ends the proof, because the deployment is being restarted again. */
  restartedAgain(): void {
    this.#run = { ...this.#run, isRestartedAgain: true };
    if (this.#state.kind === 'proving') this.#judge();
    else this.#endWatch();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
    this.#log.stop();
  }

  #now(): number {
    return this.#options.clock.serviceNow();
  }

  #elapsed(): number {
    return this.#now() - this.#options.restart.at;
  }

  #isWaiting(): boolean {
    return this.#run.isRollingOut && this.#elapsed() < longestRollout;
  }

  /** Returns the deployment as it was observed last, unless it tells a start behind a crash. */
  #afterRun(): Deployment | undefined {
    const { crashes, unexplained, last } = this.#run;
    return crashes + unexplained > 0 ? undefined : last;
  }

  /** Returns the time from which on the run is judged: the request, or the last start of a rollout. */
  #judgedFrom(): number {
    const end = this.#rolloutEnd;
    const { at } = this.#options.restart;
    return end === undefined ? at : Math.max(at, this.#log.lastStart(this.#afterRun(), end));
  }

  #watchedUntil(): number {
    return this.#judgedFrom() + this.#options.seconds * second;
  }

  #leftSeconds(): number {
    return Math.max(0, Math.ceil((this.#watchedUntil() - this.#now()) / second));
  }

  #untilNextSecond(): number {
    const next = second - (((this.#elapsed() % second) + second) % second);
    return this.#leftSeconds() === 0 ? lateLines : next;
  }

  #enter(state: ProofState): void {
    this.#state = state;
    this.#options.onState(state);
  }

  #tick(): void {
    if (this.#state.kind !== 'proving') return;
    const isOver = this.#now() >= this.#watchedUntil() + lateLines;
    if (isOver && this.#isWaiting()) this.#rolloutEnd = this.#now();
    else if (isOver) return this.#finish();
    const isWaiting = this.#rolloutEnd !== undefined && this.#isWaiting();
    const left = isWaiting ? undefined : this.#leftSeconds();
    if (this.#state.left !== left) this.#enter({ kind: 'proving', left });
    this.#cancelTimer = this.#options.clock.after(this.#untilNextSecond(), () => this.#tick());
  }

  /** Judges the run, as soon as the lines that are being fetched are there. */
  #finish(): void {
    const { clock } = this.#options;
    const until = this.#watchedUntil();
    // A proof that is resumed begins after its last second.
    const isOver =
      this.#now() >= until + lateLines + fetchLimit && clock.now() - this.#openedAt >= fetchLimit;
    if (isOver || !this.#log.isFetching(until)) return this.#judge();
    this.#cancelTimer = clock.after(fetchStep, () => this.#finish());
  }

  #judge(): void {
    const { seconds, clock } = this.#options;
    const from = this.#judgedFrom();
    // A crash ends the proof within a second, whose last lines tell of it.
    const passed = Math.min(seconds, Math.max(1, Math.ceil((this.#now() - from) / second)));
    const { crashes, isStarting, unexplained } = this.#run;
    const isRestartedAgain = this.#run.isRestartedAgain || unexplained > 0;
    const isRollout = this.#rolloutEnd !== undefined;
    const judgement = judgeRun({
      services: this.#log.errors({ from, seconds: passed, isRollout, after: this.#afterRun() }),
      crashes,
      rolledBack: this.#rolledBack,
      isRestartedAgain,
      isStarting,
      unread: this.#log.unread(from + passed * second),
    });
    this.#cancelTimer();
    this.#log.stop();
    this.#enter({ kind: 'judged', judgement, isWatched: !isRestartedAgain });
    if (isRestartedAgain || this.#isStopped) return;
    const left = this.#watchedUntil() + crashSpan - this.#now();
    this.#cancelTimer = clock.after(Math.max(0, left), () => this.#endWatch());
  }

  #endWatch(): void {
    this.#cancelTimer();
    const state = this.#state;
    if (state.kind === 'judged' && state.isWatched) this.#enter({ ...state, isWatched: false });
  }

  /** Takes later crashes, and a restart that is undone later, into a verdict. */
  #addFailures(state: Extract<ProofState, { readonly kind: 'judged' }>): void {
    const { figures } = state.judgement;
    const { crashes } = this.#run;
    const rolledBack = this.#rolledBack;
    if (figures.crashes >= crashes && figures.rolledBack === rolledBack) return;
    const judgement = { verdict: 'worse', figures: { ...figures, crashes, rolledBack } } as const;
    this.#enter({ ...state, judgement });
  }
}
