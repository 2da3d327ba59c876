/** The conditions of all deployments, and the order of attention that follows from them. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { nameKeys } from '../deployments/order.ts';
import type { DeploymentAttention } from '../deployments/visible.ts';
import type { Restarts } from '../restarts/state.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';
import { type Alerts, createAlerts } from './alerts.ts';
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
  /** The failures that nobody has looked at yet. */
  readonly alerts: Alerts;
  stop(): void;
}

type Rows = readonly DecodedRecord<Deployment>[];

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
  let histories: ReadonlyMap<string, StartHistory> = new Map();
  /** Times of the restarts that were sent from here, by the service's clock. */
  const requestedAt = new Map<string, number>();
  let observed: Rows | undefined;
  let cancelExpiry = (): void => {};
  let cancelSort = (): void => {};

  /** Takes the starts of changed rows into the histories. */
  function observeRows(rows: Rows, now: number): void {
    if (rows === observed) return;
    observed = rows;
    const next = new Map<string, StartHistory>();
    for (const { value } of rows) {
      const before = histories.get(value.id);
      const isSame = before?.last === value;
      next.set(
        value.id,
        isSame ? before : observeStarts(before, value, now, requestedAt.get(value.id)),
      );
    }
    histories = next;
  }

  function update(): void {
    const now = clock.serviceNow();
    const { rows } = deployments.getState();
    observeRows(rows, now);
    const before = state.getState();
    const conditions = new Map<string, Condition>();
    let isChanged = rows.length !== before.conditions.size;
    let expiry = Number.POSITIVE_INFINITY;
    for (const { value } of rows) {
      const { id } = value;
      const history = histories.get(id);
      const isLoop = history !== undefined && isCrashing(history, now);
      if (isLoop) expiry = Math.min(expiry, endOfLoop(history) ?? expiry);
      const condition = conditionOf(value, isLoop, restarts.getState().get(id));
      const old = before.conditions.get(id);
      const isSame = old !== undefined && isSameCondition(old, condition);
      conditions.set(id, isSame ? old : condition);
      if (!isSame) isChanged = true;
    }
    cancelExpiry();
    if (expiry < Number.POSITIVE_INFINITY) cancelExpiry = clock.after(expiry - now, update);
    if (isChanged) {
      state.setState({ conditions, failing: failingIds(before.failing, conditions) });
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
  const alerts = createAlerts(state);

  return {
    state,
    alerts,
    stop() {
      for (const unsubscribe of subscriptions) unsubscribe();
      alerts.stop();
      cancelExpiry();
      cancelSort();
    },
  };
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
