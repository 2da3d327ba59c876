/** Finds the conditions of rules that the lists of a service tell. Pure. */
import type { LowDisk } from '../../contract/disk-header.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Grant } from '../../contract/grants.ts';
import { alertOf, type Condition } from './condition.ts';
import { lowDiskText } from './disk-text.ts';
import { failureFactsText, failureText } from './failure-text.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import type { Listing } from '../lists/listing.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import { type AlertRule, isAbout, type ListCondition } from './rule.ts';

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

/** A grant that ends soon. */
export interface EndingGrant {
  readonly grant: Pick<Grant, 'id'>;
  /** Milliseconds until it ends or runs out. */
  readonly left: number;
  readonly text: string;
}

/** The lists of a service, and what follows from them. */
export interface ListFacts {
  readonly deployments: Pick<Listing<Deployment>, 'rows' | 'error'>;
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Ids of the deployments with an alert. */
  readonly alerting: readonly string[];
  readonly lowDisk: LowDisk | undefined;
  readonly endings: readonly EndingGrant[];
}

/** Returns the conditions that hold, in the order of their rules. */
export function findListConditions(
  rules: readonly AlertRule[],
  facts: ListFacts,
): readonly FoundCondition[] {
  return rules.flatMap((rule): readonly FoundCondition[] => {
    const { condition } = rule;
    if (condition.kind === 'grant') {
      return facts.endings
        .filter(({ left }) => left <= condition.within)
        .map(({ grant, text }) => ({ rule, sentence: `${text}.`, grant }));
    }
    if (condition.kind !== 'alert') return [];
    if (condition.about === 'deployments') return failingDeployments(rule, condition, facts);
    return serviceSentences(condition, facts).map((sentence) => ({ rule, sentence }));
  });
}

type AlertCondition = Extract<ListCondition, { kind: 'alert' }>;

function serviceSentences(
  { alerts }: AlertCondition,
  { deployments, lowDisk }: ListFacts,
): readonly string[] {
  const sentences: string[] = [];
  if (alerts.includes('token rejected') && deployments.error?.code === 'unauthorized') {
    sentences.push('The service rejected the token (401).');
  }
  if (alerts.includes('disk low') && lowDisk !== undefined) {
    const { text, facts } = lowDiskText(lowDisk);
    sentences.push(`${text}${facts}.`);
  }
  return sentences;
}

function failingDeployments(
  rule: AlertRule,
  { alerts }: AlertCondition,
  { deployments, conditions, alerting }: ListFacts,
): readonly FoundCondition[] {
  return alerting.flatMap((id): readonly FoundCondition[] => {
    const state = conditions.get(id);
    const kind = state && alertOf(state);
    if (state === undefined || kind === undefined || !alerts.includes(kind)) return [];
    const deployment = rowWithId(deployments.rows, id)?.value;
    if (deployment === undefined || !isAbout(rule, deployment)) return [];
    const text = failureText(deploymentLabel(deployment), state);
    return [{ rule, sentence: `${text}${failureFactsText(state, undefined)}.`, deployment }];
  });
}
