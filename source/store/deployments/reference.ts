import type { Deployment } from '../../contract/deployments.ts';

/** What a word that names a deployment stands for. */
export type DeploymentReference =
  | { readonly kind: 'one'; readonly deployment: Deployment }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly deployments: readonly Deployment[] };

/**
 * Finds the deployment that `text` names: its id, else its name, else the beginning of its id. The
 * closed ones step back where another one fits as well, because names are used again.
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
    const fitting = deployments.filter(test);
    if (fitting.length > 0) return only(fitting);
  }
  return { kind: 'none' };
}

function only(fitting: readonly Deployment[]): DeploymentReference {
  const open = fitting.filter(({ state }) => state?.toLowerCase() !== 'closed');
  const candidates = open.length > 0 ? open : fitting;
  const [deployment] = candidates;
  if (deployment === undefined) return { kind: 'none' };
  return candidates.length === 1
    ? { kind: 'one', deployment }
    : { kind: 'several', deployments: candidates };
}
