import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { isClosed } from '../deployments/deployments.ts';
import { type AlertRule, isAbout } from './rule.ts';

/** Returns the names and ids in rules that no listed deployment has, each once. */
export function missingNames(
  rules: readonly AlertRule[],
  rows: readonly DecodedRecord<Deployment>[],
): readonly string[] {
  const open = rows.map(({ value }) => value).filter((one) => !isClosed(one));
  const names = new Set(rules.flatMap(({ deployments }) => deployments));
  return [...names].filter((name) => !open.some((one) => isAbout({ deployments: [name] }, one)));
}
