import type { DeploymentsClient } from '../../client/deployments.ts';
import type { Result } from '../../client/http/errors.ts';
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

/**
 * Finds a deployment of a service like {@link findDeployment}. Where the service leaves deployments
 * out of its list, `text` may also be the id of one of these.
 */
export async function requestDeployment(
  client: Pick<DeploymentsClient, 'list' | 'get'>,
  text: string,
  signal?: AbortSignal,
): Promise<Result<DeploymentReference>> {
  const listed = await client.list(signal);
  if (!listed.ok) return listed;
  const { value: rows, total = 0 } = listed;
  const reference = findDeployment(
    rows.map(({ value }) => value),
    text,
  );
  const isId = text !== '' && text !== '.' && text !== '..';
  if (reference.kind !== 'none' || total <= rows.length || !isId) {
    return { ok: true, value: reference };
  }
  const unlisted = await client.get(text, signal);
  if (unlisted.ok) return { ok: true, value: { kind: 'one', deployment: unlisted.value.value } };
  return unlisted.error.code === 'not-found' ? { ok: true, value: reference } : unlisted;
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
