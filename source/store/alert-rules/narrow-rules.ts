import type { Deployment } from '../../contract/deployments.ts';
import { type AlertRule, isAbout, isLogRule } from './rule.ts';

/** Returns the rules about some deployments, as far as they are about these. */
export function narrowRules(
  rules: readonly AlertRule[],
  deployments: readonly Pick<Deployment, 'id' | 'name'>[],
): readonly AlertRule[] {
  return rules.flatMap((rule): readonly AlertRule[] => {
    if (!isLogRule(rule) && rule.condition.scope !== 'deployments') return [];
    const ids = deployments.filter((one) => isAbout(rule, one)).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ ...rule, deployments: ids }];
  });
}
