/** The proofs of all restarts that carry changes from this console. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { LogsClient } from '../../client/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { ProofWord } from '../alerts/condition.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import { isClosed } from '../deployments/deployments.ts';
import { answeredRestarts, sentRestarts } from '../restarts/accepted.ts';
import type { Restarts } from '../restarts/state.ts';
import type { Clock } from '../time/clock.ts';
import type { RunJudgement } from './judge.ts';
import type { Proof, ProofState } from './proof.ts';
import {
  crashSpan,
  type DeploymentBefore,
  type ProofRecord,
  type ProofRecords,
} from './proof-record.ts';
import { earlyPart } from '../../system/lazy-part.ts';

const proofPart = earlyPart(() => import('./proof.ts'));

/** The proof of a deployment's last restart, for its row. */
export type ShownProof =
  /** `left` is the number of seconds to go; undefined while the proof waits for the end of a rollout. */
  | { readonly kind: 'proving'; readonly left: number | undefined }
  | { readonly kind: 'judged'; readonly judgement: RunJudgement; readonly record: ProofRecord };

export interface ProofsOptions {
  readonly client: LogsClient;
  readonly clock: Clock & { serviceNow(at?: number): number };
  readonly random: () => number;
  /** Seconds of a proof; 0 proves nothing. */
  readonly seconds: number;
  readonly restarts: StoreApi<Restarts>;
  readonly deployments: StoreApi<{ readonly rows: readonly DecodedRecord<Deployment>[] }>;
  readonly label: (deployment: string) => string;
  readonly records: ProofRecords;
  /** Returns the times of earlier restarts from this machine, ms by the service's clock. */
  readonly requestedTimes: (deployment: string) => readonly number[];
  /** Called once with the verdict of each proof, unless another restart from here ended it. */
  readonly onVerdict: (record: ProofRecord, judgement: RunJudgement) => void;
}

/** A request that was sent, and what was known then. */
interface SentRequest {
  readonly requestedAt: number;
  readonly at: number;
  readonly before: Deployment | undefined;
}

interface Running {
  readonly proof: Proof;
  record: ProofRecord;
  /** True when a restart from here has ended it. */
  isReplaced: boolean;
  hasVerdict: boolean;
}

/** Milliseconds within which the time of this restart has been noted among the earlier ones. */
const noted = 1000;

export class Proofs {
  readonly state = createStore<ReadonlyMap<string, ShownProof>>(() => new Map());
  /** The words of the proofs, which change less often than their seconds. */
  readonly words = createStore<ReadonlyMap<string, ProofWord>>(() => new Map());
  readonly records: ProofRecords;
  readonly #options: ProofsOptions;
  readonly #sent = new Map<number, SentRequest>();
  readonly #running = new Map<string, Running>();
  readonly #subscriptions: readonly (() => void)[];
  #isStopped = false;

  constructor(options: ProofsOptions) {
    this.#options = options;
    this.records = options.records;
    this.#subscriptions = [
      options.restarts.subscribe((now, before) => {
        this.#takeAnswers(now, before);
        this.#noteSent(now, before);
      }),
      options.deployments.subscribe(({ rows }, before) => {
        if (rows === before.rows) return;
        if (this.#running.size > 0 || this.state.getState().size > 0) this.#observe(rows);
      }),
    ];
  }

  /**
   * Goes on with the proofs that consoles left unjudged which have exited; older ones stay unclear.
   * Needs the clock of the service, so that it comes after its first answer.
   */
  async resume(): Promise<void> {
    const { clock, deployments, seconds } = this.#options;
    if (seconds === 0) return;
    for (const record of await this.records.abandoned()) {
      const { before: told, ...kept } = record;
      const { deploymentId: id } = record;
      const age = clock.now() - record.requestedAt;
      const isRecent = age >= 0 && age < seconds * 1000 + crashSpan;
      if (isRecent && !this.#running.has(id) && !this.#isStopped) {
        await this.#prove(record, told && { ...told, id });
        // A rollout may be going on, which a record doesn't tell.
        const listed = rowWithId(deployments.getState().rows, id)?.value;
        if (listed !== undefined) this.#running.get(id)?.proof.observe(listed);
      } else await this.records.write({ ...kept, isJudged: true });
    }
  }

  /** Marks a restart as undone, so that its verdict is no longer shown. */
  async undone(record: ProofRecord): Promise<void> {
    const { deploymentId: id, at } = record;
    const shown = this.state.getState().get(id);
    if (this.#running.get(id)?.record.at === at) this.#end(id);
    else if (shown?.kind === 'judged' && shown.record.at === at) this.#show(id, undefined);
    await this.records.write({ ...record, isUndone: true });
  }

  stop(): void {
    this.#isStopped = true;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    for (const { proof } of this.#running.values()) proof.stop();
  }

  /** Remembers what was known as a restart was sent; one that is being proved ends. */
  #noteSent(now: Restarts, before: Restarts): void {
    const { clock, deployments } = this.#options;
    for (const { id, restart } of sentRestarts(before, now)) {
      const listed = rowWithId(deployments.getState().rows, id)?.value;
      const requestedAt = clock.now();
      const at = Math.round(clock.serviceNow(requestedAt));
      this.#sent.set(restart.request, { requestedAt, at, before: listed });
      const one = this.#running.get(id);
      if (one === undefined) continue;
      one.isReplaced = true;
      one.proof.restartedAgain();
    }
  }

  /** Begins the proofs of accepted restarts that apply changes. */
  #takeAnswers(now: Restarts, before: Restarts): void {
    for (const { id, restart, isAccepted } of answeredRestarts(before, now)) {
      const request = this.#sent.get(restart.request);
      this.#sent.delete(restart.request);
      if (request === undefined || !isAccepted) continue;
      this.#end(id);
      const { changes } = restart;
      if (this.#options.seconds === 0 || changes === undefined || changes.files.length === 0)
        continue;
      const record: ProofRecord = {
        deploymentId: id,
        name: this.#options.label(id),
        at: request.at,
        changedFrom: changes.since,
        requestedAt: request.requestedAt,
        files: changes.files,
        verdict: 'unclear',
        isJudged: false,
        before: request.before && beforeOf(request.before),
        isUndone: false,
      };
      void this.#prove(record, request.before);
    }
  }

  #observe(rows: readonly DecodedRecord<Deployment>[]): void {
    for (const { value } of rows) {
      if (isClosed(value)) this.#end(value.id);
      else this.#running.get(value.id)?.proof.observe(value);
    }
  }

  async #prove(record: ProofRecord, before: Deployment | undefined): Promise<void> {
    const { deploymentId: id, at } = record;
    const { clock, requestedTimes } = this.#options;
    // Nobody waits for it at the start of the program.
    const { Proof } = await proofPart();
    if (this.#isStopped) return;
    this.#running.get(id)?.proof.stop();
    const requested = requestedTimes(id).filter((time) => time < at - noted);
    const proof = new Proof({
      ...this.#options,
      restart: { deploymentId: id, before, at, requested },
      clock: { ...clock, serviceNow: () => clock.serviceNow() },
      onState: (next) => void this.#follow(id, next),
    });
    this.#running.set(id, { proof, record, isReplaced: false, hasVerdict: false });
    const begun = proof.state();
    if (begun.kind === 'proving') this.#show(id, begun);
    // Its files can be restored after this console was killed, too.
    await this.records.write(record);
  }

  async #follow(id: string, next: ProofState): Promise<void> {
    const one = this.#running.get(id);
    if (one === undefined) return;
    if (next.kind === 'proving') return this.#show(id, next);
    const { judgement, isWatched } = next;
    const { before: _, ...kept } = one.record;
    const record = { ...kept, verdict: judgement.verdict, isJudged: true };
    one.record = record;
    // A run that is worse stays so until the next restart; other verdicts are news for a while.
    const isShown = isWatched || judgement.verdict === 'worse';
    this.#show(id, isShown ? { kind: 'judged', judgement, record } : undefined);
    if (!isWatched) this.#running.delete(id);
    const isNews = !one.hasVerdict && !one.isReplaced;
    one.hasVerdict = true;
    await this.records.write(record);
    if (isNews && !this.#isStopped) this.#options.onVerdict(record, judgement);
  }

  #end(id: string): void {
    this.#running.get(id)?.proof.stop();
    this.#running.delete(id);
    if (this.state.getState().has(id)) this.#show(id, undefined);
  }

  #show(id: string, shown: ShownProof | undefined): void {
    this.state.setState(withEntry(this.state.getState(), id, shown), true);
    const word = shown && wordOf(shown);
    if (this.words.getState().get(id) !== word) {
      this.words.setState(withEntry(this.words.getState(), id, word), true);
    }
  }
}

/** Returns what a record keeps of a deployment. */
function beforeOf({ createdAt, restartedAt, services }: Deployment): DeploymentBefore {
  return {
    createdAt,
    restartedAt,
    services: services.map(({ name, startedAt, restarts, exitCode }) => {
      return { name, startedAt, restarts, exitCode };
    }),
  };
}

function wordOf(shown: ShownProof): ProofWord {
  if (shown.kind === 'proving') return 'proving';
  const { verdict, figures } = shown.judgement;
  if (verdict !== 'worse') return verdict;
  return figures.crashes > 0 ? 'crashed' : 'errors up';
}

function withEntry<T>(
  map: ReadonlyMap<string, T>,
  id: string,
  value: T | undefined,
): ReadonlyMap<string, T> {
  const next = new Map(map);
  if (value === undefined) next.delete(id);
  else next.set(id, value);
  return next;
}
