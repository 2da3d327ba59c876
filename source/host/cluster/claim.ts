import { clusterLabels } from './cluster-labels.ts';

/** The claim of a host on its services of a cluster, which an object of the engine keeps. */
export interface Claim {
  /** Id of the data folder; a copy of the folder has another one. */
  readonly holder: string;
  /** Counts the holders; a write of an earlier one fails. */
  readonly term: number;
  /** The machine and the data folder of the holder, for people. */
  readonly place: string;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** A step of a host that starts. */
export type ClaimStep =
  | { readonly kind: 'create' | 'take'; readonly claim: Claim }
  /** The host has the claim already, from before its last end. */
  | { readonly kind: 'hold'; readonly claim: Claim }
  | { readonly kind: 'refuse'; readonly claim: Claim };

/**
 * Returns the step of a host that starts. The claim of another one is taken only when a person asks
 * for it, as nothing tells an ended host from one that can't be reached.
 */
export function claimStep(
  present: Claim | undefined,
  own: Omit<Claim, 'term'>,
  takesOver: boolean,
): ClaimStep {
  if (present === undefined) return { kind: 'create', claim: { ...own, term: 1 } };
  if (present.holder === own.holder) return { kind: 'hold', claim: present };
  if (!takesOver) return { kind: 'refuse', claim: present };
  return { kind: 'take', claim: { ...own, term: present.term + 1 } };
}

/** Returns the labels of the object that keeps a claim. */
export function claimLabels(
  host: string,
  { holder, term, place, since }: Claim,
): Readonly<Record<string, string>> {
  return {
    [clusterLabels.host]: host,
    [clusterLabels.holder]: holder,
    [clusterLabels.term]: String(term),
    [clusterLabels.place]: place,
    [clusterLabels.since]: since,
  };
}

/** Reads {@link claimLabels}; labels of anybody else are a claim of an unknown holder. */
export function readClaim(labels: Readonly<Record<string, string>>): Claim {
  return {
    holder: labels[clusterLabels.holder] ?? '',
    term: termOf({ labels }),
    place: labels[clusterLabels.place] ?? 'an unknown place',
    since: labels[clusterLabels.since] ?? 'an unknown time',
  };
}

/** Returns the term in which a service was last changed, 0 for one without. */
export function termOf({ labels }: { readonly labels: Readonly<Record<string, string>> }): number {
  const term = Number(labels[clusterLabels.term]);
  return Number.isInteger(term) ? term : 0;
}
