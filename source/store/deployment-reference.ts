import type { Deployment } from '../contract/deployments.ts';
import type { Read } from '../client/client.ts';
import { deploymentLabel } from './deployments.ts';

export type Resolved =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: { readonly sentence: string; readonly next: string } };

/** Most candidates named in a sentence. */
const named = 5;

/**
 * The deployment that a person means: by its whole id, its name, or the start of its id. A whole id
 * outranks a name, a name outranks the start of an id; two that fit alike are told, not guessed.
 */
export function resolveDeployment(rows: readonly Read<Deployment>[], text: string): Resolved {
  const all = rows.map((row) => row.value);
  const ranks = [
    all.filter(({ id }) => id === text),
    all.filter(({ name }) => name === text),
    all.filter(({ id }) => text !== '' && id.startsWith(text)),
  ];
  const [first, ...others] = ranks.find((found) => found.length > 0) ?? [];
  if (first === undefined) {
    const next = all.length === 0 ? 'The service lists none.' : `There is ${listed(all)}.`;
    return { ok: false, problem: { sentence: `There is no deployment ${text}.`, next } };
  }
  if (others.length === 0) return { ok: true, value: first.id };
  const next = `Name one by its id: ${[first, ...others]
    .slice(0, named)
    .map(({ id }) => id)
    .join(', ')}.`;
  return {
    ok: false,
    problem: { sentence: `${text} fits ${others.length + 1} deployments.`, next },
  };
}

function listed(all: readonly Deployment[]): string {
  const more = all.length > named ? ` and ${all.length - named} more` : '';
  return `${all.slice(0, named).map(deploymentLabel).join(', ')}${more}`;
}
