/** The rules of alerts: a flat list of conditions, each with what is done once it holds. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Grant } from '../../contract/grants.ts';
import type { LineQuery } from '../../tail/query/log-query.ts';
import { isClosed } from '../deployments/deployments.ts';
import type { AlertKind } from './alert-kinds.ts';

/** A condition; times are in ms. */
export type RuleCondition =
  /** Alerts of deployments, which a rule may name. */
  | { readonly kind: 'deployment'; readonly alerts: readonly AlertKind[] }
  /** Other alerts; those of grants that end or run out within a time. */
  | { readonly kind: 'service'; readonly alerts: readonly AlertKind[]; readonly within?: number }
  /** More than a number of lines of a log that match a query, within a time. */
  | {
      readonly kind: 'lines';
      readonly query: LineQuery;
      readonly more: number;
      readonly within: number;
    }
  /** No line of a log for a time. */
  | { readonly kind: 'silent'; readonly within: number };

export interface AlertRule {
  /** The condition as it was written, such as `errors>10/min`. */
  readonly when: string;
  readonly condition: RuleCondition;
  /** Milliseconds for which the condition holds before it is told. */
  readonly holdsFor: number;
  /** Names or ids of the deployments that it is about; empty for all. A rule on a log names them. */
  readonly deployments: readonly string[];
  /** Rings, notifies, or runs a shell command. */
  readonly action: 'bell' | 'notify' | { readonly run: string };
}

/** A condition of a rule that holds now. */
export interface FoundCondition {
  readonly rule: AlertRule;
  readonly sentence: string;
  /** The deployment or the grant that it is about. */
  readonly deployment?: Pick<Deployment, 'id' | 'name'> | undefined;
  readonly grant?: Pick<Grant, 'id'> | undefined;
  /** The log line that matched last. */
  readonly line?: string | undefined;
}

/** Returns whether a rule reads logs, each of which needs a stream. */
export function isLogRule(rule: AlertRule): boolean {
  return logSpan(rule) > 0;
}

/** Returns whether a rule is about a deployment, by its name or id. */
export function isAbout(
  { deployments }: Pick<AlertRule, 'deployments'>,
  { id, name }: Pick<Deployment, 'id' | 'name'>,
): boolean {
  if (deployments.length === 0) return true;
  return deployments.includes(id) || (name !== undefined && deployments.includes(name));
}

/** Returns the milliseconds before its end from which on a rule is about a grant; 0 for other rules. */
export function grantSpan({ condition }: AlertRule): number {
  return condition.kind === 'service' ? (condition.within ?? 0) : 0;
}

/** Returns the milliseconds of a log that a rule is about; 0 for other rules. */
export function logSpan({ condition }: AlertRule): number {
  const { kind } = condition;
  return kind === 'lines' || kind === 'silent' ? condition.within : 0;
}

/** Returns the rules about some deployments, as far as they are about these. */
export function narrowRules(
  rules: readonly AlertRule[],
  deployments: readonly Pick<Deployment, 'id' | 'name'>[],
): readonly AlertRule[] {
  return rules.flatMap((rule) => {
    const isOfService = rule.condition.kind === 'service';
    const about = isOfService ? [] : deployments.filter((one) => isAbout(rule, one));
    return about.length === 0 ? [] : [{ ...rule, deployments: about.map(({ id }) => id) }];
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
