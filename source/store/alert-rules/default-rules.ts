import { shortRunway } from '../grants/endings.ts';
import type { AlertRule } from './rule.ts';

/** The rules of a watch for which the person has written none: all alerts that lists tell. */
export const defaultRules: readonly AlertRule[] = [
  {
    when: 'crash',
    action: 'bell',
    deployments: [],
    condition: { kind: 'alert', scope: 'deployments', alerts: ['crashing', 'failed'] },
  },
  {
    when: 'token rejected',
    action: 'bell',
    deployments: [],
    condition: { kind: 'alert', scope: 'service', alerts: ['token rejected'] },
  },
  {
    when: 'disk low',
    action: 'bell',
    deployments: [],
    condition: { kind: 'alert', scope: 'service', alerts: ['disk low'] },
  },
  {
    when: 'grant<1d',
    action: 'bell',
    deployments: [],
    condition: { kind: 'grant', scope: 'grants', within: shortRunway },
  },
];
