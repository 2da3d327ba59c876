/** The rules of alerts: conditions of deployments, logs, grants and the service, and what they do. */
import type { Deployment } from '../../contract/deployments.ts';
import type { AlertKind } from '../attention/alert-kinds.ts';
import type { QuietHours } from './quiet-hours.ts';

/** A condition that a list of the service tells. */
export type ListCondition =
  | {
      readonly kind: 'alert';
      /** Alerts of deployments, which a rule may name, or of the service as a whole. */
      readonly scope: 'deployments' | 'service';
      readonly alerts: readonly AlertKind[];
    }
  /** A grant that ends or runs out within some milliseconds. */
  | { readonly kind: 'grant'; readonly scope: 'grants'; readonly within: number };

/** A condition of the lines of a log, which need a stream. Times in ms. */
export type LogCondition =
  | { readonly kind: 'errors'; readonly more: number; readonly within: number }
  /** A regular expression. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'silent'; readonly span: number };

export type RuleAction = 'bell' | 'notify';

interface RuleText {
  /** The condition as it was written, such as `errors>10/min`. */
  readonly when: string;
  readonly action: RuleAction;
}

export interface ListRule extends RuleText {
  readonly condition: ListCondition;
  /** Names or ids of the deployments that it is about; empty for all. */
  readonly deployments: readonly string[];
}

export interface LogRule extends RuleText {
  readonly condition: LogCondition;
  /** Names or ids of the deployments whose logs it reads; at least one. */
  readonly deployments: readonly string[];
}

export type AlertRule = ListRule | LogRule;

/** Returns whether a rule is about a deployment, by its name or id. */
export function isAbout(
  { deployments }: Pick<AlertRule, 'deployments'>,
  { id, name }: Pick<Deployment, 'id' | 'name'>,
): boolean {
  if (deployments.length === 0) return true;
  return deployments.includes(id) || (name !== undefined && deployments.includes(name));
}

export function isLogRule(rule: AlertRule): rule is LogRule {
  const { kind } = rule.condition;
  return kind === 'errors' || kind === 'pattern' || kind === 'silent';
}

/** The rules of a service, and when nothing rings. */
export interface AlertSettings {
  /** Undefined where the person has written none. */
  readonly rules: readonly AlertRule[] | undefined;
  readonly quiet: QuietHours | undefined;
}
