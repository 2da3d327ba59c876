import { isDefinitionPlace, type LocalPlace } from '../drafts/places.ts';
import type { TrashedFile } from '../drafts/trash.ts';
import { digestOf } from '../drafts/digest.ts';
import { moveFile } from './move.ts';
import { failed } from './outcome.ts';
import { restoreDraft, type RestoredDrafts } from './restore-draft.ts';
import {
  beingRestored,
  emptyTrash,
  type Remaining,
  type Restored,
  type RestoreOutcome,
  settled,
  restoreRefused,
} from './restore-outcome.ts';
import type { FileWriteOptions } from './trashing.ts';
import { checkTransfer, type TransferOptions } from './transfer-check.ts';
import { writeFile } from './write.ts';
import type { FilesPlace } from './files.ts';

/** The person's consent to a restore, by paths. */
export interface AgreedRestore {
  /** Files of the trash; by default the newest batch. */
  readonly entries?: readonly Remaining[];
  /** Paths whose current file or draft may be replaced; it goes to the trash. */
  readonly replace?: ReadonlySet<string>;
  /** Paths whose current file may be lost if no copy can go to the trash. */
  readonly unkept?: ReadonlySet<string>;
}

export interface RestoreOptions extends FileWriteOptions, TransferOptions {
  readonly drafts: RestoredDrafts;
  /** Called when a file has moved to another path on the service. */
  readonly moved?: ((from: LocalPlace, to: LocalPlace) => void) | undefined;
}

/** Files of a definition, which has none yet. */
const noFiles = { ok: true, value: [] } as const;

/** Milliseconds after which the console that trashed a file has deleted it, or never will. */
const settledAfter = 120_000;

/**
 * Restores files and drafts from the trash and moves files back, one after the other. A file that one
 * of them replaces goes to the trash as a new batch, so that a second call reverts the first. Leaves
 * out files that exist again or that somebody has changed since, and stops at the first one that fails.
 */
export async function restoreBatch(
  options: RestoreOptions,
  place: FilesPlace,
  agreed: AgreedRestore,
): Promise<RestoreOutcome> {
  const { trash } = options;
  const newest = async () => (await trash.batches({ most: 1, of: place }))[0] ?? [];
  const entries = agreed.entries ?? (await newest());
  if (entries.length === 0) return emptyTrash(place.service);
  const ids = entries.map(({ id }) => id);
  if (!(await trash.claim(ids))) return beingRestored(entries);
  try {
    return await restoreClaimed(options, place, entries, agreed);
  } finally {
    await trash.release(ids);
  }
}

async function restoreClaimed(
  options: RestoreOptions,
  place: FilesPlace,
  entries: readonly Remaining[],
  agreed: AgreedRestore,
): Promise<RestoreOutcome> {
  const { client, trash } = options;
  const { deploymentId, service } = place;
  const isOfService = !isDefinitionPlace(place);
  let listed = isOfService ? await client.list(deploymentId, service) : noFiles;
  let hasMoved = false;
  const outcomes: Restored[] = [];
  for (const entry of entries) {
    const file = await trash.take(entry.id);
    const isMove = file?.reason === 'moved';
    // A file that is moved back frees the path of the one that it had replaced.
    if (hasMoved && !isMove) listed = await client.list(deploymentId, service);
    hasMoved = isMove;
    const outcome = await restoreOne({ ...options, listed }, place, { ...entry, file }, agreed);
    outcomes.push(outcome);
    if (outcome.kind === 'failed' || outcome.kind === 'unkept') {
      return restoreRefused(outcomes, outcome, entries.slice(outcomes.length));
    }
  }
  return settled(outcomes);
}

async function restoreOne(
  options: RestoreOptions,
  place: FilesPlace,
  { id, path, expected, file }: Remaining & { readonly file: TrashedFile | undefined },
  { replace, unkept }: AgreedRestore,
): Promise<Restored> {
  if (file === undefined) {
    const listed = (await options.trash.batches({ of: place })).flat();
    return { id, path, kind: listed.some((entry) => entry.id === id) ? 'damaged' : 'gone' };
  }
  const consent = { replace: replace?.has(path) === true, unkept: unkept?.has(path) === true };
  if (file.reason === 'moved') return moveBack(options, id, file, consent);
  if (file.reason !== 'discarded') {
    return restoreFile(options, id, { ...file, written: expected ?? file.written }, consent);
  }
  const outcome = await restoreDraft(options, id, file, consent);
  if (outcome.ok)
    return { id, path, kind: 'restored', draftKey: file.newDeployment === undefined ? 'e' : 'a' };
  return { id, path, kind: outcome.kind === 'exists' ? 'exists' : 'failed', refusal: outcome };
}

interface Consent {
  readonly replace: boolean;
  readonly unkept: boolean;
}

async function restoreFile(
  options: RestoreOptions,
  id: string,
  file: TrashedFile,
  consent: Consent,
): Promise<Restored> {
  const { client, clock, trash, writes } = options;
  const { deploymentId, service, path, bytes, at } = file;
  const place = { deploymentId, service, path };
  const written = await digestOf(bytes);
  const agreed = { ...consent, replaceOnly: file.written };
  const check = await checkTransfer({ ...options, written }, place, 'restored', agreed);
  if (!check.ok) {
    const { kind } = check.refusal;
    if (kind !== 'exists') {
      return { id, path, kind: kind === 'unkept' ? kind : 'failed', refusal: check.refusal };
    }
    const got = await client.get(deploymentId, service, path);
    if (!got.ok || !areEqual(got.value.bytes, bytes)) {
      return { id, path, kind: 'exists', refusal: check.refusal };
    }
    // Another console may be about to delete the file; then the copy is the only one left.
    if (clock.now() - at >= settledAfter) await trash.remove(id);
    return { id, path, kind: 'unchanged' };
  }
  await writes.intend(place, { kind: 'written', content: bytes });
  const result = await writeFile(client, place, bytes);
  if (result.ok) {
    void writes.fileChanged(place);
    await trash.remove(id);
    return { id, path, kind: 'restored', draftKey: undefined };
  }
  if (!result.error.unknownOutcome) {
    writes.notChanged(place);
    await check.refused();
  }
  return { id, path, kind: 'failed', refusal: failed(path, 'restored', result.error) };
}

async function moveBack(
  options: RestoreOptions,
  id: string,
  { deploymentId, service, path, movedTo = '' }: TrashedFile,
  consent: Consent,
): Promise<Restored> {
  const place = { deploymentId, service, path };
  const from = { ...place, path: movedTo };
  const outcome = await moveFile(options, from, path, consent);
  if (outcome.ok) {
    options.moved?.(from, place);
    await options.trash.remove(id);
    return { id, path, kind: 'restored', draftKey: undefined };
  }
  const { kind } = outcome;
  const isAsked = kind === 'exists' || kind === 'unkept';
  return { id, path, kind: isAsked ? kind : 'failed', refusal: outcome };
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
