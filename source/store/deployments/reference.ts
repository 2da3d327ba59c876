import type { Deployment } from '../../contract/deployments.ts';

/** The deployments that a text refers to. */
export type DeploymentReference =
  | { readonly kind: 'one'; readonly deployment: Deployment }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly deployments: readonly Deployment[] };

/**
 * Finds the deployment with the id `text`, else with the name `text`, else with an id that starts with
 * `text`. Ignores closed deployments when an open one matches, because names are reused.
 */
export function findDeployment(
  deployments: readonly Deployment[],
  text: string,
): DeploymentReference {
  const tests: readonly ((deployment: Deployment) => boolean)[] = [
    ({ id }) => id === text,
    ({ name }) => name === text,
    ({ id }) => text !== '' && id.startsWith(text),
  ];
  for (const test of tests) {
    const matches = deployments.filter(test);
    if (matches.length > 0) return resolveMatches(matches);
  }
  return { kind: 'none' };
}

function resolveMatches(matches: readonly Deployment[]): DeploymentReference {
  const open = matches.filter(({ state }) => state?.toLowerCase() !== 'closed');
  const candidates = open.length > 0 ? open : matches;
  const [deployment] = candidates;
  if (deployment === undefined) return { kind: 'none' };
  return candidates.length === 1
    ? { kind: 'one', deployment }
    : { kind: 'several', deployments: candidates };
}
