import type { Read } from '../client/client.ts';
import type { Deployment } from '../contract/deployments.ts';
import type { FileRecord } from '../contract/files.ts';
import { type Grant, grantState } from '../contract/grants.ts';
import { type AddressBook, nameOf, noNames } from './address-book.ts';
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

/** Grants that pass the filter, its words by both addresses and their names; in the service's order. */
export function visibleGrants(
  rows: readonly Read<Grant>[],
  typed: string,
  serviceNow: number,
  book: AddressBook = noNames,
): readonly Read<Grant>[] {
  if (typed.trim() === '') return rows;
  const filter = parseListFilter(typed);
  return rows.filter(({ value }) =>
    filter.matches({
      text: [value.grantor, value.grantee]
        .map((address) => `${address} ${nameOf(book, address) ?? ''}`)
        .join(' '),
      state: grantState(value, serviceNow),
    }),
  );
}

/** Which folders of a tree are folded: as it starts, but for those that were toggled. */
export interface Folds {
  readonly startsFolded: boolean;
  readonly toggled: ReadonlySet<string>;
}

/** The last tree of a listing: each key asks again, and several times, for what the pane shows. */
const known = new WeakMap<
  readonly Read<FileRecord>[],
  { readonly typed: string; readonly folds: Folds; readonly rows: readonly TreeRow[] }
>();

/** The rows of the file tree; a filter unfolds what holds a match. */
export function visibleFiles(
  rows: readonly Read<FileRecord>[],
  typed: string,
  folds: Folds,
): readonly TreeRow[] {
  const last = known.get(rows);
  const isFiltered = typed.trim() !== '';
  if (last?.typed === typed && (isFiltered || isSameFolds(last.folds, folds))) return last.rows;
  const tree = isFiltered ? matchingFiles(rows, typed) : treeRows(rows, foldedBy(folds));
  known.set(rows, { typed, folds, rows: tree });
  return tree;
}

function matchingFiles(rows: readonly Read<FileRecord>[], typed: string): readonly TreeRow[] {
  const filter = parseListFilter(typed);
  return matchingTreeRows(rows, (path) => filter.matches({ text: path }));
}

function isSameFolds(left: Folds, right: Folds): boolean {
  return left.startsFolded === right.startsFolded && left.toggled === right.toggled;
}

function foldedBy({ startsFolded, toggled }: Folds): (path: string) => boolean {
  return (path) => startsFolded !== toggled.has(path);
}

const pathsKnown = new WeakMap<readonly TreeRow[], readonly string[]>();

/** Paths of the rows, in their order. */
export function pathsOf(rows: readonly TreeRow[]): readonly string[] {
  const paths = pathsKnown.get(rows) ?? rows.map(({ path }) => path);
  pathsKnown.set(rows, paths);
  return paths;
}

/**
 * Row of a filtered file tree that the cursor goes to: the first that matches itself, a file rather
 * than the folder above it (screens, "Prompt"); -1 where there is none.
 */
export function firstMatch(rows: readonly TreeRow[]): number {
  const file = rows.findIndex((row) => !row.folder);
  return file === -1 ? rows.findIndex((row) => row.record !== undefined) : file;
}
