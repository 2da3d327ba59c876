import type { Read } from '../client/client.ts';
import type { Deployment } from '../contract/deployments.ts';
import type { FileRecord } from '../contract/files.ts';
import { type Grant, grantState } from '../contract/grants.ts';
import { deploymentLabel } from './deployments.ts';
import { matchingTreeRows, type TreeRow, treeRows } from './file-tree.ts';
import { parseListFilter } from './list-filter.ts';

/** Deployments that pass the filter, by name, id, state and services; in the service's order. */
export function visibleDeployments(
  rows: readonly Read<Deployment>[],
  typed: string,
): readonly Read<Deployment>[] {
  if (typed.trim() === '') return rows;
  const filter = parseListFilter(typed);
  return rows.filter(({ value }) => {
    const services = value.services.map((service) => service.name).join(' ');
    return filter.matches(`${deploymentLabel(value)} ${value.id} ${services}`, value.state);
  });
}

/** Grants that pass the filter, by both addresses and state; in the service's order. */
export function visibleGrants(
  rows: readonly Read<Grant>[],
  typed: string,
  serviceNow: number,
): readonly Read<Grant>[] {
  if (typed.trim() === '') return rows;
  const filter = parseListFilter(typed);
  return rows.filter(({ value }) =>
    filter.matches(`${value.grantor} ${value.grantee}`, grantState(value, serviceNow)),
  );
}

/** The rows of the file tree; a filter unfolds what holds a match. */
export function visibleFiles(
  rows: readonly Read<FileRecord>[],
  typed: string,
  folded: (path: string) => boolean,
): readonly TreeRow[] {
  if (typed.trim() === '') return treeRows(rows, folded);
  const filter = parseListFilter(typed);
  return matchingTreeRows(rows, (path) => filter.matches(path));
}
