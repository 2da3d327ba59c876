import { isClosed } from '../../store/deployments/deployments.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** The instances of a deployment, as far as the service counts them. */
export interface InstanceCounts {
  /** Instances that run; undefined unless every service reports them. */
  readonly running: number | undefined;
  /** All instances; undefined unless every service reports them. */
  readonly all: number | undefined;
}

/**
 * Returns how many instances run, and of how many. Only counts that the service sent are added up: a
 * service that works may have any number of instances. A closed deployment has none.
 */
export function instanceCounts(deployment: Deployment): InstanceCounts {
  if (isClosed(deployment)) return { running: undefined, all: undefined };
  const { services } = deployment;
  return {
    running: total(services.map(({ running }) => running)),
    all: total(services.map(({ instances }) => instances)),
  };
}

/** Returns running of all instances: `2/2`, `-/2` or `2/-`; `-` when neither is known. */
export function instancesText(deployment: Deployment): string {
  const { running, all } = instanceCounts(deployment);
  return running === undefined && all === undefined ? '-' : `${running ?? '-'}/${all ?? '-'}`;
}

function total(counts: readonly (number | undefined)[]): number | undefined {
  if (counts.length === 0) return undefined;
  let sum = 0;
  for (const count of counts) {
    if (count === undefined) return undefined;
    sum += count;
  }
  return sum;
}
