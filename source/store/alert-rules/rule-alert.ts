import type { Deployment } from '../../contract/deployments.ts';
import type { Grant } from '../../contract/grants.ts';
import type { AlertRule } from './rule.ts';

/** An alert of a rule, to be told. */
export interface RuleAlert {
  readonly rule: AlertRule;
  /** Time at which it is told, ms since the epoch. */
  readonly at: number;
  readonly sentence: string;
  /** The deployment or the grant that it is about. */
  readonly deployment?: Pick<Deployment, 'id' | 'name'> | undefined;
  readonly grant?: Pick<Grant, 'id'> | undefined;
  /** The log line that matched an expression. */
  readonly line?: string | undefined;
  /** True where it began in quiet hours. */
  readonly isHeld: boolean;
}

/** A condition that goes on, without the time at which it is told. */
export type FoundCondition = Omit<RuleAlert, 'at' | 'isHeld'>;
