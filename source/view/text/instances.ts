import { stateToken } from './theme.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** Returns running of all instances: `2/2`; `-` for a closed deployment or an unknown number. */
export function instancesText(deployment: Deployment): string {
  const running = runningInstances(deployment);
  const all = deployment.services.reduce((sum, { instances = 1 }) => sum + instances, 0);
  return running === undefined ? '-' : `${running}/${all}`;
}

/** Returns how many instances run; undefined for a closed deployment or an unknown number. */
export function runningInstances({ state, services }: Deployment): number | undefined {
  if (state?.toLowerCase() === 'closed') return undefined;
  if (services.every((service) => service.state === undefined)) return undefined;
  return services.reduce((sum, { state: word, instances = 1, running }) => {
    const expected = stateToken(word) === 'good' ? instances : 0;
    return sum + (running ?? expected);
  }, 0);
}
