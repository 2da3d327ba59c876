/** Collects the changes of a deployment's files that were made from this machine, from its trash. */
import type { FilesClient } from '../../client/files.ts';
import { digestOf } from '../drafts/digest.ts';
import type { Trash, TrashedFile, TrashEntry } from '../drafts/trash.ts';
import type { EditTexts, IncidentFile } from './incident.ts';

export interface FoundEdits {
  readonly files: readonly IncidentFile[];
  readonly edits: readonly EditTexts[];
  /** Sentences about what could not be read. */
  readonly missing: readonly string[];
}

export interface EditsQuery {
  readonly files: Pick<FilesClient, 'list' | 'get'>;
  readonly trash: Pick<Trash, 'batches' | 'take'>;
  readonly deploymentId: string;
  readonly services: readonly string[];
  /** Ms since the epoch, by the clock of this machine. */
  readonly from: number;
  readonly to: number;
  /** Clock of the service minus that of this machine, in ms. */
  readonly clockOffset: number;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of the largest text whose difference is kept. */
const largestText = 256 * 1024;

/** Edits and files that are kept, of each service. */
const mostEdits = 500;
const mostFiles = 5000;

/** Files that a sentence names. */
const mostNamed = 5;

/** Returns the files of each service, and the edits within the span with their texts. */
export async function collectEdits(query: EditsQuery): Promise<FoundEdits> {
  const found = [];
  for (const service of query.services) found.push(await collectFrom(service, query));
  return {
    files: found.flatMap(({ files }) => files),
    edits: found.flatMap(({ edits }) => edits).toSorted((left, right) => left.at - right.at),
    missing: found.flatMap(({ missing }) => missing),
  };
}

async function collectFrom(service: string, query: EditsQuery): Promise<FoundEdits> {
  const { deploymentId, from, to, clockOffset } = query;
  const missing: string[] = [];
  const listed = await query.files.list(deploymentId, service, query.signal);
  if (!listed.ok) missing.push(`The files of ${service} were not read: ${listed.error.sentence}`);
  const records = listed.ok ? listed.value.map(({ value }) => value) : [];
  if (records.length > mostFiles)
    missing.push(`The list of ${service} holds ${mostFiles} of ${records.length} files.`);

  const batches = await query.trash.batches({ of: { deploymentId, service } });
  const all = batches
    .flat()
    .filter(({ reason, at }) => reason !== 'discarded' && at >= from)
    .toSorted((left, right) => left.at - right.at);
  const inSpan = all.filter(({ at }) => at <= to);
  if (inSpan.length > mostEdits)
    missing.push(`Of ${inSpan.length} edits of ${service}, the last ${mostEdits} are kept.`);
  const edits: EditTexts[] = [];
  for (const entry of inSpan.slice(-mostEdits)) {
    const next = all.find(({ path, at }) => path === entry.path && at > entry.at);
    const edit = await readEdit(entry, next, query);
    edits.push(edit.edit);
    if (edit.lacks !== undefined) missing.push(`${service} ${entry.path}: ${edit.lacks}`);
  }
  const edited = new Set(edits.flatMap(({ path, movedTo }) => [path, movedTo ?? path]));
  const others = records.filter(({ path, modifiedAt, directory }) => {
    const at = Date.parse(modifiedAt ?? '') - clockOffset;
    return directory !== true && at >= from && at <= to && !edited.has(path);
  });
  if (others.length > 0) {
    const names = others.slice(0, mostNamed).map(({ path }) => path);
    const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
    missing.push(
      `${service}: this machine has no earlier version of changed files: ${names.join(', ')}${more}.`,
    );
  }
  return {
    files: records.slice(0, mostFiles).map((record) => Object.assign({ service }, record)),
    edits,
    missing,
  };
}

interface ReadEdit {
  readonly edit: EditTexts;
  /** Reason why the difference is missing or holds more; undefined where it is whole. */
  readonly lacks?: string | undefined;
}

async function readEdit(
  entry: TrashEntry,
  next: TrashEntry | undefined,
  { trash, files, deploymentId, signal }: EditsQuery,
): Promise<ReadEdit> {
  const { at, service, path, reason, movedTo, written } = entry;
  const edit = { at, service, path, reason, movedTo };
  if (reason === 'moved') return { edit };
  const taken = await trash.take(entry.id);
  const before = textOf(taken);
  if (before === undefined)
    return { edit, lacks: 'its earlier version is damaged, binary or too large.' };
  if (reason === 'deleted') return { edit: { ...edit, before, after: '' } };
  if (next !== undefined) {
    const after = textOf(await trash.take(next.id));
    return after === undefined
      ? { edit, lacks: 'its later version is damaged, binary or too large.' }
      : { edit: { ...edit, before, after } };
  }
  const got = await files.get(deploymentId, service, path, signal);
  if (!got.ok) return { edit, lacks: `its current version was not read: ${got.error.sentence}` };
  const after = textOf(got.value);
  if (after === undefined) return { edit, lacks: 'its current version is binary or too large.' };
  const isOther = written !== undefined && (await digestOf(got.value.bytes)) !== written;
  return {
    edit: { ...edit, before, after },
    lacks: isOther ? 'its difference includes later changes that were not made here.' : undefined,
  };
}

function textOf(file: Pick<TrashedFile, 'bytes'> | undefined): string | undefined {
  if (file === undefined || file.bytes.length > largestText || file.bytes.includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes);
  } catch {
    return undefined;
  }
}
