/** Assesses the listed deployments: their starts, and the conditions that follow from them. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Restarts } from '../restarts/state.ts';
import {
  alertOf,
  attentionRank,
  type Condition,
  type ProofWord,
  conditionOf,
  isSameCondition,
} from './condition.ts';
import { endOfLoop, isCrashing, observeStarts, type StartHistory } from './starts.ts';

type Rows = readonly DecodedRecord<Deployment>[];

/** Words about the proofs of restarts, by the id of the deployment. */
export type ProofWords = ReadonlyMap<string, ProofWord>;

export const noProofs: ProofWords = new Map();

/** The starts of the rows of an answer, by their index; most rows of a long list keep it. */
export interface Observed {
  readonly rows: Rows;
  readonly histories: readonly StartHistory[];
}

export interface Assessment {
  readonly observed: Observed;
  readonly restarts: Restarts | undefined;
  readonly proofs: ProofWords;
  /** Conditions of the rows, by their index. */
  readonly conditions: readonly Condition[];
  /** Conditions by the id of the deployment; the same map while none of them changes. */
  readonly byId: ReadonlyMap<string, Condition>;
  /** Ids of the deployments with an alert, those whose alert began last first. */
  readonly alerting: readonly string[];
  /** Time at which the first crash loop ends, ms since the epoch; infinite without a loop. */
  readonly expiry: number;
}

export const noAssessment: Assessment = {
  observed: { rows: [], histories: [] },
  restarts: undefined,
  proofs: noProofs,
  conditions: [],
  byId: new Map(),
  alerting: [],
  expiry: Number.POSITIVE_INFINITY,
};

/**
 * Takes the starts of changed rows into the histories.
 *
 * @param now ms since the epoch by the service's clock.
 * @param requestedAt times of the restarts that were requested here, by the id of the deployment.
 */
export function observeRows(
  before: Observed,
  rows: Rows,
  now: number,
  requestedAt: ReadonlyMap<string, number>,
): Observed {
  if (rows === before.rows) return before;
  const historyOf = historyAfter(before, now, requestedAt);
  return { rows, histories: rows.map(({ value }, index) => historyOf(value, index)) };
}

/** Returns a function that takes the starts of one row, by its index, into its history. */
export function historyAfter(
  before: Observed,
  now: number,
  requestedAt: ReadonlyMap<string, number>,
): (deployment: Deployment, index: number) => StartHistory {
  let byId: ReadonlyMap<string, StartHistory> | undefined;
  const historyBefore = (id: string, index: number): StartHistory | undefined => {
    if (before.rows[index]?.value.id === id) return before.histories[index];
    byId ??= new Map(before.histories.map((history) => [history.last.id, history]));
    return byId.get(id);
  };
  return (deployment, index) => {
    const history = historyBefore(deployment.id, index);
    if (history?.last === deployment) return history;
    return observeStarts(history, deployment, now, requestedAt.get(deployment.id));
  };
}

/** Returns the conditions of observed rows. @param now ms since the epoch by the service's clock. */
export function assess(
  before: Assessment,
  observed: Observed,
  restarts: Restarts,
  now: number,
  proofs: ProofWords = noProofs,
): Assessment {
  const assessing = startAssessing(before, observed, restarts, now, proofs);
  assessing.take(observed.rows.length);
  return assessing.finish();
}

/** An assessment in parts, so that a long list delays no key. */
export interface Assessing {
  /** Finds the conditions of the next rows, at most `count`, whose starts were observed. */
  take(count: number): void;
  /** Returns the assessment once all rows were taken. */
  finish(): Assessment;
}

/** Starts what {@link assess} does at once. The histories of `observed` may still be filled. */
export function startAssessing(
  before: Assessment,
  observed: Observed,
  restarts: Restarts,
  now: number,
  proofs: ProofWords,
): Assessing {
  const { rows, histories } = observed;
  let isChanged = rows.length !== before.byId.size;
  let expiry = Number.POSITIVE_INFINITY;
  const conditions: Condition[] = [];

  function conditionAt({ value }: Rows[number], index: number): Condition {
    const { id } = value;
    const history = histories[index];
    const isLoop = history !== undefined && isCrashing(history, now);
    if (isLoop) expiry = Math.min(expiry, endOfLoop(history) ?? expiry);
    const condition = conditionOf(value, isLoop, restarts.get(id), proofs.get(id));
    const isSameRow = before.observed.rows[index]?.value.id === id;
    const old = isSameRow ? before.conditions[index] : before.byId.get(id);
    if (old !== undefined && isSameCondition(old, condition)) return old;
    isChanged = true;
    return condition;
  }

  return {
    take(count) {
      for (const row of rows.slice(conditions.length, conditions.length + count)) {
        conditions.push(conditionAt(row, conditions.length));
      }
    },
    finish() {
      if (!isChanged) return { ...before, observed, restarts, proofs, conditions, expiry };
      const byId = new Map(
        rows.map(({ value }, index) => [value.id, conditions[index] as Condition]),
      );
      const alerting = alertingIds(before.alerting, byId);
      return { observed, restarts, proofs, conditions, byId, alerting, expiry };
    },
  };
}

/** Returns the deployments with an alert: new ones first, then those of before that still have one. */
function alertingIds(
  before: readonly string[],
  conditions: ReadonlyMap<string, Condition>,
): readonly string[] {
  const alerting = [...conditions].flatMap(([id, condition]) => (alertOf(condition) ? [id] : []));
  const known = new Set(before);
  const current = new Set(alerting);
  const next = [
    ...alerting.filter((id) => !known.has(id)).sort((a, b) => compareText(rankOf(a), rankOf(b))),
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
