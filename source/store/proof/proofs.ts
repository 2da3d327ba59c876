/** The proofs of all restarts that carry changes from this console. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { LogsClient } from '../../client/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { ProofWord } from '../alerts/condition.ts';
import { isClosed } from '../deployments/deployments.ts';
import { answeredRestarts, sentRestarts } from '../restarts/accepted.ts';
import type { PendingChanges, Restarts } from '../restarts/state.ts';
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

export interface Proofs {
  readonly state: StoreApi<ReadonlyMap<string, ShownProof>>;
  /** The words of the proofs, which change less often than their seconds. */
  readonly words: StoreApi<ReadonlyMap<string, ProofWord>>;
  readonly records: ProofRecords;
  /**
   * Goes on with the proofs that consoles left unjudged which have exited; older ones stay unclear.
   * Needs the clock of the service, so that it comes after its first answer.
   */
  resume(): Promise<void>;
  /** Marks a restart as undone, so that its verdict is no longer shown. */
  undone(record: ProofRecord): Promise<void>;
  stop(): void;
}

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

const second = 1000;

export function createProofs(options: ProofsOptions): Proofs {
  const { clock, restarts, deployments, records, seconds } = options;
  const state = createStore<ReadonlyMap<string, ShownProof>>(() => new Map());
  const words = createStore<ReadonlyMap<string, ProofWord>>(() => new Map());
  const sent = new Map<number, SentRequest>();
  const running = new Map<string, Running>();
  let isStopped = false;

  function show(id: string, shown: ShownProof | undefined): void {
    state.setState(withEntry(state.getState(), id, shown), true);
    const word = shown && wordOf(shown);
    if (words.getState().get(id) !== word)
      words.setState(withEntry(words.getState(), id, word), true);
  }

  /** Begins the proof of an accepted restart. */
  async function begin(
    id: string,
    { at, requestedAt, before }: SentRequest,
    applied: PendingChanges,
  ): Promise<void> {
    const record: ProofRecord = {
      deploymentId: id,
      name: options.label(id),
      at,
      changedFrom: applied.since,
      requestedAt,
      files: applied.files,
      verdict: 'unclear',
      isJudged: false,
      before: before && beforeOf(before),
      isUndone: false,
    };
    await prove(record, before);
  }

  async function prove(record: ProofRecord, before: Deployment | undefined): Promise<void> {
    const { deploymentId: id, at } = record;
    // Nobody waits for it at the start of the program.
    const { startProof } = await proofPart();
    if (isStopped) return;
    running.get(id)?.proof.stop();
    const proof = startProof({
      restart: {
        deploymentId: id,
        before,
        at,
        requested: options.requestedTimes(id).filter((time) => time < at - noted),
      },
      seconds,
      client: options.client,
      clock: { ...clock, serviceNow: () => clock.serviceNow() },
      random: options.random,
      onState: (next) => void follow(id, next),
    });
    running.set(id, { proof, record, isReplaced: false, hasVerdict: false });
    const begun = proof.state();
    if (begun.kind === 'proving') show(id, begun);
    // Its files can be restored after this console was killed, too.
    await records.write(record);
  }

  async function follow(id: string, next: ProofState): Promise<void> {
    const one = running.get(id);
    if (one === undefined) return;
    if (next.kind === 'proving') return show(id, next);
    const { judgement, isWatched } = next;
    const { before: _, ...kept } = one.record;
    const record = { ...kept, verdict: judgement.verdict, isJudged: true };
    one.record = record;
    // A run that is worse stays so until the next restart; other verdicts are news for a while.
    const isShown = isWatched || judgement.verdict === 'worse';
    show(id, isShown ? { kind: 'judged', judgement, record } : undefined);
    if (!isWatched) running.delete(id);
    const isNews = !one.hasVerdict && !one.isReplaced;
    one.hasVerdict = true;
    await records.write(record);
    if (isNews && !isStopped) options.onVerdict(record, judgement);
  }

  async function resume(): Promise<void> {
    if (seconds === 0) return;
    for (const record of await records.abandoned()) {
      const { before: told, ...kept } = record;
      const age = clock.now() - record.requestedAt;
      const isRecent = age >= 0 && age < seconds * second + crashSpan;
      const isFree = !running.has(record.deploymentId);
      if (isRecent && isFree && !isStopped) {
        await prove(record, told && { ...told, id: record.deploymentId });
        // A rollout may be going on, which a record doesn't tell.
        observeListed(record.deploymentId);
      } else await records.write({ ...kept, isJudged: true });
    }
  }

  function observeListed(id: string): void {
    const listed = deployments.getState().rows.find(({ value }) => value.id === id)?.value;
    if (listed !== undefined) running.get(id)?.proof.observe(listed);
  }

  function end(id: string): void {
    running.get(id)?.proof.stop();
    running.delete(id);
    if (state.getState().has(id)) show(id, undefined);
  }

  function noteSent(now: Restarts, before: Restarts): void {
    for (const { id, restart } of sentRestarts(before, now)) {
      const listed = deployments.getState().rows.find(({ value }) => value.id === id)?.value;
      const requestedAt = clock.now();
      const at = Math.round(clock.serviceNow(requestedAt));
      sent.set(restart.request, { requestedAt, at, before: listed });
      const one = running.get(id);
      if (one === undefined) continue;
      one.isReplaced = true;
      one.proof.restartedAgain();
    }
  }

  const subscriptions = [
    restarts.subscribe((now, before) => {
      for (const { id, restart, isAccepted } of answeredRestarts(before, now)) {
        const request = sent.get(restart.request);
        sent.delete(restart.request);
        if (request === undefined || !isAccepted) continue;
        end(id);
        const { changes } = restart;
        const isProved = seconds > 0 && changes !== undefined && changes.files.length > 0;
        if (isProved) void begin(id, request, changes);
      }
      noteSent(now, before);
    }),
    deployments.subscribe(({ rows }, before) => {
      if (rows === before.rows || (running.size === 0 && state.getState().size === 0)) return;
      for (const { value } of rows) {
        if (isClosed(value)) end(value.id);
        else running.get(value.id)?.proof.observe(value);
      }
    }),
  ];

  return {
    state,
    words,
    records,
    resume,
    async undone(record) {
      const one = running.get(record.deploymentId);
      if (one?.record.at === record.at) end(record.deploymentId);
      const shown = state.getState().get(record.deploymentId);
      if (shown?.kind === 'judged' && shown.record.at === record.at) {
        show(record.deploymentId, undefined);
      }
      await records.write({ ...record, isUndone: true });
    },
    stop() {
      isStopped = true;
      for (const unsubscribe of subscriptions) unsubscribe();
      for (const { proof } of running.values()) proof.stop();
    },
  };
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
