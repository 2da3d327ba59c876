/** Finds the conditions of rules that the list of deployments tells. Pure. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { LowDisk } from '../../contract/disk-header.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { alertOf, type Condition } from '../attention/condition.ts';
import { lowDiskText } from '../attention/disk-text.ts';
import { failureFactsText, failureText } from '../attention/failure-text.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import { conditionKey } from './condition-key.ts';
import { type AlertRule, isAbout } from './rule.ts';
import type { FoundCondition } from './rule-alert.ts';

/** The list of deployments, and what follows from it. */
export interface ListFacts {
  readonly rows: readonly DecodedRecord<Deployment>[];
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Ids of the deployments with an alert. */
  readonly alerting: readonly string[];
  /** Whether the service rejects the token. */
  readonly isRejected: boolean;
  readonly lowDisk: LowDisk | undefined;
}

/** Returns the conditions that go on, by a key for each rule and deployment. */
export function findListConditions(
  rules: readonly AlertRule[],
  { rows, conditions, alerting, isRejected, lowDisk }: ListFacts,
): ReadonlyMap<string, FoundCondition> {
  const found = new Map<string, FoundCondition>();
  for (const [index, rule] of rules.entries()) {
    const { condition } = rule;
    if (condition.kind !== 'alert') continue;
    if (isRejected && condition.alerts.includes('token rejected')) {
      found.set(conditionKey({ source: 'list', rule: index, id: '' }), {
        rule,
        sentence: 'The service rejected the token (401).',
      });
    }
    if (lowDisk !== undefined && condition.alerts.includes('disk low')) {
      const { text, facts } = lowDiskText(lowDisk);
      found.set(conditionKey({ source: 'disk', rule: index, id: '' }), {
        rule,
        sentence: `${text}${facts}.`,
      });
    }
    for (const id of alerting) {
      const state = conditions.get(id);
      const kind = state && alertOf(state);
      if (state === undefined || kind === undefined || !condition.alerts.includes(kind)) continue;
      const deployment = rowWithId(rows, id)?.value;
      if (deployment === undefined || !isAbout(rule, deployment)) continue;
      const text = failureText(deploymentLabel(deployment), state);
      const sentence = `${text}${failureFactsText(state, undefined)}.`;
      found.set(conditionKey({ source: 'list', rule: index, id }), { rule, sentence, deployment });
    }
  }
  return found;
}
