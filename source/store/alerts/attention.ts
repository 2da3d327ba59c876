/** The conditions of all deployments, and the order of attention that follows from them. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { type AttentionKeys, nameKeys } from '../deployments/order.ts';
import type { DeploymentAttention } from '../deployments/visible.ts';
import { memoizeLast } from '../lists/memoize-last.ts';
import type { Restarts } from '../restarts/state.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';
import {
  assess,
  type Assessing,
  type Assessment,
  historyAfter,
  noAssessment,
  noProofs,
  observeRows,
  type ProofWords,
  startAssessing,
} from './assessment.ts';
import { attentionRank, type Condition } from './condition.ts';
import type { StartHistory } from './starts.ts';

export interface AttentionState extends DeploymentAttention {
  /** Conditions by the id of the deployment. */
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Ids of the deployments with an alert, those whose alert began last first. */
  readonly alerting: readonly string[];
}

export interface Attention {
  readonly state: StoreApi<AttentionState>;
  /** Returns steps that compute the conditions of rows which the list is about to show. */
  preparations(rows: Rows): readonly (() => void)[];
  /** Returns what the state says once prepared rows are shown; the state itself for other rows. */
  expected(rows: Rows): DeploymentAttention;
  stop(): void;
}

type Rows = readonly DecodedRecord<Deployment>[];

/** Rows whose starts or conditions are taken in one step: some 2 ms. */
const takenAtOnce = 1000;

/** An assessment of rows that are not shown yet, and the one that it was made from. */
interface Ahead {
  readonly from: Assessment;
  readonly assessment: Assessment;
}

/** Creates the conditions of the listed deployments and keeps them current. */
export function createAttention(options: {
  readonly deployments: StoreApi<{ readonly rows: Rows }>;
  readonly restarts: StoreApi<Restarts>;
  /** By default no restart is proved. */
  readonly proofs?: StoreApi<ProofWords> | undefined;
  readonly clock: Clock & { serviceNow(): number };
  /** Rows change their order only in pauses of the keys. */
  readonly keyPause: Pick<KeyPause, 'whenPaused' | 'isPaused'>;
}): Attention {
  const { deployments, restarts, proofs, clock, keyPause } = options;
  const proofWords = (): ProofWords => proofs?.getState() ?? noProofs;
  const state = createStore<AttentionState>(() => ({
    conditions: new Map(),
    alerting: [],
    keys: new Map(),
  }));
  let current = noAssessment;
  let ahead: Ahead | undefined;
  /** Times of the restarts that were sent from here, by the service's clock. */
  const requestedAt = new Map<string, number>();
  let cancelExpiry = (): void => {};
  let cancelSort = (): void => {};

  function update(): void {
    const { rows } = deployments.getState();
    const pending = restarts.getState();
    const words = proofWords();
    const { observed, restarts: assessed } = current;
    const now = clock.serviceNow();
    const isSame = pending === assessed && words === current.proofs;
    if (now < current.expiry && rows === observed.rows && isSame) return;
    const next =
      takeAhead(rows, pending) ??
      assess(current, observeRows(observed, rows, now, requestedAt), pending, now, words);
    const isChanged = next.byId !== current.byId;
    current = next;
    awaitExpiry();
    if (isChanged) {
      // In a pause the order changes together with the conditions, so that no cursor binds to a row of the
      // order before. The first rows are never shown in another order.
      const isSorted = keyPause.isPaused() || isUnsorted();
      const keys = isSorted ? keysAfter(rows, next.byId) : state.getState().keys;
      state.setState({ conditions: next.byId, alerting: next.alerting, keys });
      cancelSort();
      if (!isSorted) cancelSort = keyPause.whenPaused(sort);
    }
  }

  function isUnsorted(): boolean {
    return state.getState().keys.size === 0;
  }

  /** Assesses again when a crash loop ends; the clock of the service may be corrected meanwhile. */
  function awaitExpiry(): void {
    cancelExpiry();
    const wait = current.expiry - clock.serviceNow();
    if (wait === Number.POSITIVE_INFINITY) return;
    cancelExpiry = clock.after(Math.max(0, wait), () => {
      if (clock.serviceNow() < current.expiry) awaitExpiry();
      else update();
    });
  }

  /** Returns the assessment that was prepared for these rows, unless something changed since. */
  function takeAhead(rows: Rows, pending: Restarts): Assessment | undefined {
    const prepared = ahead;
    ahead = undefined;
    if (prepared === undefined || prepared.from !== current) return undefined;
    const { assessment } = prepared;
    const isCurrent = assessment.restarts === pending && assessment.proofs === proofWords();
    return assessment.observed.rows === rows && isCurrent ? assessment : undefined;
  }

  /** Sorts the rows by their conditions. */
  function sort(): void {
    const { rows } = deployments.getState();
    const { conditions, keys } = state.getState();
    const next = keysAfter(rows, conditions);
    if (next !== keys) state.setState({ keys: next });
  }

  /** Returns the sort keys of rows; the same object where their order stays. */
  function keysAfter(rows: Rows, conditions: AttentionState['conditions']): AttentionKeys {
    const { keys } = state.getState();
    const next = orderKeys(rows, conditions);
    return isSameOrder(keys, next) ? keys : next;
  }

  const expectedState = memoizeLast(({ assessment }: Ahead, known: DeploymentAttention) => {
    const { byId, observed } = assessment;
    if (byId === known.conditions) return known;
    const isSorted = keyPause.isPaused() || known.keys.size === 0;
    const keys = isSorted ? orderKeys(observed.rows, byId) : known.keys;
    return { conditions: byId, keys: isSameOrder(known.keys, keys) ? known.keys : keys };
  });

  const subscriptions = [
    deployments.subscribe(update),
    ...(proofs === undefined ? [] : [proofs.subscribe(update)]),
    restarts.subscribe((now, before) => {
      for (const [id, restart] of now) {
        if (restart.kind === 'restarting' && before.get(id)?.kind !== 'restarting') {
          requestedAt.set(id, clock.serviceNow());
        }
      }
      update();
    }),
  ];
  update();

  return {
    state,
    preparations(rows) {
      const from = current;
      const now = clock.serviceNow();
      const historyOf = historyAfter(from.observed, now, requestedAt);
      const histories: StartHistory[] = [];
      const observeNext = (): void => {
        for (const { value } of rows.slice(histories.length, histories.length + takenAtOnce)) {
          histories.push(historyOf(value, histories.length));
        }
      };
      let assessing: Assessing | undefined;
      const assessNext = (): void => {
        assessing ??= startAssessing(
          from,
          { rows, histories },
          restarts.getState(),
          now,
          proofWords(),
        );
        assessing.take(takenAtOnce);
      };
      const parts = Math.ceil(rows.length / takenAtOnce);
      return [
        ...Array.from({ length: parts }, () => observeNext),
        ...Array.from({ length: parts }, () => assessNext),
        () => {
          if (assessing !== undefined) ahead = { from, assessment: assessing.finish() };
        },
        () => void nameKeys(rows),
        () => void orderKeys(rows, (ahead?.assessment ?? from).byId),
      ];
    },
    expected(rows) {
      const known = state.getState();
      if (ahead?.from !== current || ahead.assessment.observed.rows !== rows) return known;
      return expectedState(ahead, known);
    },
    stop() {
      for (const unsubscribe of subscriptions) unsubscribe();
      cancelExpiry();
      cancelSort();
    },
  };
}

const orderKeys = memoizeLast(
  (rows: Rows, conditions: AttentionState['conditions']): ReadonlyMap<string, string> => {
    const names = nameKeys(rows);
    const keys = new Map<string, string>();
    for (const [index, { value }] of rows.entries()) {
      const condition = conditions.get(value.id);
      if (condition !== undefined) keys.set(value.id, `${attentionRank(condition)}${names[index]}`);
    }
    return keys;
  },
);

function isSameOrder(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): boolean {
  if (left.size !== right.size) return false;
  for (const [id, key] of left) if (right.get(id) !== key) return false;
  return true;
}
