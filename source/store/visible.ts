import type { Read } from '../client/client.ts';
import type { Deployment } from '../contract/deployments.ts';
import type { FileRecord } from '../contract/files.ts';
import { type Grant, grantState } from '../contract/grants.ts';
import { deploymentLabel } from './deployments.ts';
import { matchingTreeRows, type TreeRow, treeRows } from './file-tree.ts';
import { parseListFilter } from './list-filter.ts';

/** Deployments that pass the filter, its words by name, id and services; in the service's order. */
export function visibleDeployments(
  rows: readonly Read<Deployment>[],
  typed: string,
): readonly Read<Deployment>[] {
  if (typed.trim() === '') return rows;
  const filter = parseListFilter(typed);
  return rows.filter(({ value }) => {
    const services = value.services.map((service) => service.name);
    const text = [deploymentLabel(value), value.id, ...services].join(' ');
    return filter.matches({ text, state: value.state, services });
  });
}

/** Grants that pass the filter, its words by both addresses; in the service's order. */
export function visibleGrants(
  rows: readonly Read<Grant>[],
  typed: string,
  serviceNow: number,
): readonly Read<Grant>[] {
  if (typed.trim() === '') return rows;
  const filter = parseListFilter(typed);
  return rows.filter(({ value }) =>
    filter.matches({
      text: `${value.grantor} ${value.grantee}`,
      state: grantState(value, serviceNow),
    }),
  );
}

/** The last filtered tree of a listing: each key asks again for the rows that the pane shows. */
const filtered = new WeakMap<
  readonly Read<FileRecord>[],
  { readonly typed: string; readonly rows: readonly TreeRow[] }
>();

/** The rows of the file tree; a filter unfolds what holds a match. */
export function visibleFiles(
  rows: readonly Read<FileRecord>[],
  typed: string,
  folded: (path: string) => boolean,
): readonly TreeRow[] {
  if (typed.trim() === '') return treeRows(rows, folded);
  const last = filtered.get(rows);
  if (last?.typed === typed) return last.rows;
  const filter = parseListFilter(typed);
  const matching = matchingTreeRows(rows, (path) => filter.matches({ text: path }));
  filtered.set(rows, { typed, rows: matching });
  return matching;
}

/**
 * Row of a filtered file tree that the cursor goes to: the first that matches itself, a file rather
 * than the folder above it (screens, "Prompt"); -1 where there is none.
 */
export function firstMatch(rows: readonly TreeRow[]): number {
  const file = rows.findIndex((row) => !row.folder);
  return file === -1 ? rows.findIndex((row) => row.record !== undefined) : file;
}
