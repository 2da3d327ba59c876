import type { Deployment } from '../../contract/deployments.ts';
import type { AlertKind } from '../attention/alert-kinds.ts';
import { type AlertRule, isAbout } from './rule.ts';

function isOfService(kind: AlertKind): boolean {
  return kind === 'token rejected' || kind === 'disk low';
}

/** Returns the rules about some deployments, as far as they are about these. */
export function narrowRules(
  rules: readonly AlertRule[],
  deployments: readonly Pick<Deployment, 'id' | 'name'>[],
): readonly AlertRule[] {
  return rules.flatMap((rule): readonly AlertRule[] => {
    const { condition } = rule;
    if (condition.kind === 'grant') return [];
    if (condition.kind === 'alert' && condition.alerts.some(isOfService)) return [];
    const ids = deployments.filter((one) => isAbout(rule, one)).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ ...rule, deployments: ids }];
  });
}
