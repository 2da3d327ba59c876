/** The rules of alerts: conditions of deployments, logs, grants and the service, and what they do. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { LineQuery } from '../../tail/query/log-query.ts';
import type { AlertKind } from './alert-kinds.ts';
import { isClosed } from '../deployments/deployments.ts';

/** A condition that a list of the service tells. */
export type ListCondition =
  | {
      readonly kind: 'alert';
      /** Alerts of deployments, which a rule may name, or of the service as a whole. */
      readonly about: 'deployments' | 'service';
      readonly alerts: readonly AlertKind[];
    }
  /** A grant that ends or runs out within some milliseconds. */
  | { readonly kind: 'grant'; readonly within: number };

/** A condition of the lines of a log, which need a stream. */
export type LogCondition =
  /** More than a number of lines that match a query within some milliseconds. */
  | {
      readonly kind: 'lines';
      readonly query: LineQuery;
      readonly more: number;
      readonly within: number;
    }
  /** No line at all, for the time of the rule. */
  | { readonly kind: 'silent' };

/** Rings, notifies, or runs a shell command. */
export type RuleAction = 'bell' | 'notify' | { readonly run: string };

export interface AlertRule {
  /** The condition as it was written, such as `errors>10/min`. */
  readonly when: string;
  readonly condition: ListCondition | LogCondition;
  /** Milliseconds for which the condition holds before it is told. */
  readonly holdsFor: number;
  /** Names or ids of the deployments that it is about; empty for all. A rule on lines names them. */
  readonly deployments: readonly string[];
  readonly action: RuleAction;
}

export interface LogRule extends AlertRule {
  readonly condition: LogCondition;
}

export function isLogRule(rule: AlertRule): rule is LogRule {
  const { kind } = rule.condition;
  return kind === 'lines' || kind === 'silent';
}

/** Returns whether a rule is about a deployment, by its name or id. */
export function isAbout(
  { deployments }: Pick<AlertRule, 'deployments'>,
  { id, name }: Pick<Deployment, 'id' | 'name'>,
): boolean {
  if (deployments.length === 0) return true;
  return deployments.includes(id) || (name !== undefined && deployments.includes(name));
}

/** Returns the rules about some deployments, as far as they are about these. */
export function narrowRules(
  rules: readonly AlertRule[],
  deployments: readonly Pick<Deployment, 'id' | 'name'>[],
): readonly AlertRule[] {
  return rules.flatMap((rule): readonly AlertRule[] => {
    const { condition } = rule;
    if (condition.kind === 'grant') return [];
    if (condition.kind === 'alert' && condition.about === 'service') return [];
    const ids = deployments.filter((one) => isAbout(rule, one)).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ ...rule, deployments: ids }];
  });
}

/** Returns the names and ids in rules that no listed deployment has, each once. */
export function missingNames(
  rules: readonly AlertRule[],
  rows: readonly DecodedRecord<Deployment>[],
): readonly string[] {
  const open = rows.map(({ value }) => value).filter((one) => !isClosed(one));
  const names = new Set(rules.flatMap(({ deployments }) => deployments));
  return [...names].filter((name) => !open.some((one) => isAbout({ deployments: [name] }, one)));
}
