/** The conditions of all deployments, and the order of attention that follows from them. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { nameKeys } from '../deployments/order.ts';
import type { DeploymentAttention } from '../deployments/visible.ts';
import type { Restarts } from '../restarts/state.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';
import {
  attentionRank,
  type Condition,
  conditionOf,
  isFailing,
  isSameCondition,
} from './condition.ts';
import { endOfLoop, isCrashing, observeStarts, type StartHistory } from './starts.ts';

export interface AttentionState extends DeploymentAttention {
  /** Conditions by the id of the deployment. */
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Ids of the failing deployments, those that failed last first. */
  readonly failing: readonly string[];
}

export interface Attention {
  readonly state: StoreApi<AttentionState>;
  stop(): void;
}

type Rows = readonly DecodedRecord<Deployment>[];

/** The starts of the rows of an answer, by their index; most rows of a long list keep it. */
interface Observed {
  readonly rows: Rows;
  readonly histories: readonly StartHistory[];
}

/** Creates the conditions of the listed deployments and keeps them current. */
export function createAttention(options: {
  readonly deployments: StoreApi<{ readonly rows: Rows }>;
  readonly restarts: StoreApi<Restarts>;
  readonly clock: Clock & { serviceNow(): number };
  /** Rows change their order only in pauses of the keys. */
  readonly keyPause: Pick<KeyPause, 'whenPaused'>;
}): Attention {
  const { deployments, restarts, clock, keyPause } = options;
  const state = createStore<AttentionState>(() => ({
    conditions: new Map(),
    failing: [],
    keys: new Map(),
  }));
  let observed: Observed = { rows: [], histories: [] };
  let observedRestarts: Restarts | undefined;
  /** Conditions of the observed rows, by their index. */
  let conditions: readonly Condition[] = [];
  /** Times of the restarts that were sent from here, by the service's clock. */
  const requestedAt = new Map<string, number>();
  let expiry = Number.POSITIVE_INFINITY;
  let cancelExpiry = (): void => {};
  let cancelSort = (): void => {};

  function update(): void {
    const { rows } = deployments.getState();
    const pending = restarts.getState();
    const isSettled = expiry === Number.POSITIVE_INFINITY;
    if (isSettled && rows === observed.rows && pending === observedRestarts) return;
    const now = clock.serviceNow();
    const before = state.getState();
    const { rows: rowsBefore } = observed;
    const conditionsBefore = conditions;
    observed = observeRows(observed, rows, now, requestedAt);
    observedRestarts = pending;
    let isChanged = rows.length !== before.conditions.size;
    expiry = Number.POSITIVE_INFINITY;
    conditions = rows.map(({ value }, index) => {
      const { id } = value;
      const history = observed.histories[index];
      const isLoop = history !== undefined && isCrashing(history, now);
      if (isLoop) expiry = Math.min(expiry, endOfLoop(history) ?? expiry);
      const condition = conditionOf(value, isLoop, pending.get(id));
      const isSameRow = rowsBefore[index]?.value.id === id;
      const old = isSameRow ? conditionsBefore[index] : before.conditions.get(id);
      if (old !== undefined && isSameCondition(old, condition)) return old;
      isChanged = true;
      return condition;
    });
    cancelExpiry();
    if (expiry < Number.POSITIVE_INFINITY) cancelExpiry = clock.after(expiry - now, update);
    if (isChanged) {
      const byId = new Map(
        rows.map(({ value }, index) => [value.id, conditions[index] as Condition]),
      );
      state.setState({ conditions: byId, failing: failingIds(before.failing, byId) });
    }
    if (isChanged || state.getState().keys.size === 0) {
      cancelSort();
      cancelSort = keyPause.whenPaused(sort);
    }
  }

  /** Sorts the rows by their conditions. */
  function sort(): void {
    const { rows } = deployments.getState();
    const { conditions, keys } = state.getState();
    const next = orderKeys(rows, conditions);
    if (!isSameOrder(keys, next)) state.setState({ keys: next });
  }

  const subscriptions = [
    deployments.subscribe(update),
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
    stop() {
      for (const unsubscribe of subscriptions) unsubscribe();
      cancelExpiry();
      cancelSort();
    },
  };
}

/** Takes the starts of changed rows into the histories. */
function observeRows(
  before: Observed,
  rows: Rows,
  now: number,
  requestedAt: ReadonlyMap<string, number>,
): Observed {
  if (rows === before.rows) return before;
  let byId: ReadonlyMap<string, StartHistory> | undefined;
  const historyBefore = (id: string, index: number): StartHistory | undefined => {
    if (before.rows[index]?.value.id === id) return before.histories[index];
    byId ??= new Map(before.histories.map((history) => [history.last.id, history]));
    return byId.get(id);
  };
  const histories = rows.map(({ value }, index) => {
    const history = historyBefore(value.id, index);
    if (history?.last === value) return history;
    return observeStarts(history, value, now, requestedAt.get(value.id));
  });
  return { rows, histories };
}

/** Returns the failing deployments: new ones first, then those of before that still fail. */
function failingIds(
  before: readonly string[],
  conditions: ReadonlyMap<string, Condition>,
): readonly string[] {
  const failing = [...conditions].flatMap(([id, condition]) => (isFailing(condition) ? [id] : []));
  const known = new Set(before);
  const current = new Set(failing);
  const next = [
    ...failing.filter((id) => !known.has(id)).sort((a, b) => compareText(rankOf(a), rankOf(b))),
    ...before.filter((id) => current.has(id)),
  ];
  return next.length === before.length && next.every((id, index) => id === before[index])
    ? before
    : next;

  function rankOf(id: string): string {
    const condition = conditions.get(id);
    return condition === undefined ? '' : attentionRank(condition);
  }
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderKeys(
  rows: Rows,
  conditions: ReadonlyMap<string, Condition>,
): ReadonlyMap<string, string> {
  const names = nameKeys(rows);
  const keys = new Map<string, string>();
  for (const [index, { value }] of rows.entries()) {
    const condition = conditions.get(value.id);
    if (condition !== undefined) keys.set(value.id, `${attentionRank(condition)}${names[index]}`);
  }
  return keys;
}

function isSameOrder(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): boolean {
  if (left.size !== right.size) return false;
  for (const [id, key] of left) if (right.get(id) !== key) return false;
  return true;
}
