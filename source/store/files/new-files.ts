import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import type { DraftHead } from '../drafts/drafts.ts';
import { isNewDeployment, type LocalPlace } from '../drafts/places.ts';

type ServicePlace = Omit<LocalPlace, 'path'>;

type Listed = readonly DecodedRecord<FileRecord>[];

/** The rows of a file tree: the listed files, and files that only have a draft on this machine. */
export interface DraftedFiles {
  readonly rows: Listed;
  /** Paths of the files that only have a draft. */
  readonly newPaths: ReadonlySet<string>;
}

interface Cached extends DraftedFiles {
  readonly place: ServicePlace;
  readonly drafts: ReadonlyMap<string, DraftHead>;
}

/** The last result of each listing, because one key needs the rows several times. */
const cache = new WeakMap<Listed, Cached>();

/**
 * Returns the listed files of a place together with the files that only have a draft. The rows keep
 * their identity while the same files are new.
 */
export function withNewFiles(
  listed: Listed,
  place: ServicePlace,
  drafts: ReadonlyMap<string, DraftHead>,
): DraftedFiles {
  const last = cache.get(listed);
  const isSamePlace = last?.place === place;
  if (isSamePlace && last.drafts === drafts) return last;
  const newPaths = newPathsIn(listed, place, drafts);
  const isSame = isSamePlace && isSameSet(last.newPaths, newPaths);
  const rows = isSame ? last.rows : [...listed, ...Array.from(newPaths, newRecord)];
  const result = { place, drafts, newPaths, rows: newPaths.size === 0 ? listed : rows };
  cache.set(listed, result);
  return result;
}

function newPathsIn(
  listed: Listed,
  { deploymentId, service }: ServicePlace,
  drafts: ReadonlyMap<string, DraftHead>,
): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const draft of drafts.values()) {
    if (isNewDeployment(draft) || draft.deploymentId !== deploymentId) continue;
    if (draft.service === service) paths.add(draft.path);
  }
  if (paths.size > 0) for (const { value } of listed) paths.delete(value.path);
  return paths;
}

function newRecord(path: string): DecodedRecord<FileRecord> {
  return { value: { path }, unknown: {} };
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((one) => right.has(one));
}
