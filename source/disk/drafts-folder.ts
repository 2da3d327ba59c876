import path from 'node:path';
import { removeForGood, whyNot, writeAtomically } from './atomic-file.ts';
import { type ConsoleMark, isGone, ownMark } from './console-mark.ts';
import {
  hashedName,
  headFields,
  longestHead,
  namesIn,
  readHead,
  readRegularFile,
  removeUnfinished,
} from './state-folder.ts';
import {
  type Draft,
  type DraftContent,
  type DraftHead,
  type DraftKeeper,
  headOf,
} from '../store/drafts/drafts.ts';
import {
  type DraftPlace,
  isNewDeployment,
  nameIn,
  placeKey,
  type WriteResult,
} from '../store/drafts/places.ts';
import type { DraftLocks } from '../store/drafts/locks.ts';
import { createLockFiles } from './lock-files.ts';

/** `HASH OF THE PLACE.MARK OF THE CONSOLE.draft`: two consoles that edit one file have two drafts. */
const namePattern = /^([0-9a-f]{32})\.([0-9a-z-]+)\.draft$/;

type Found = Head & { readonly file: string; readonly mark: ConsoleMark };

/**
 * Stores each draft in its own file below `drafts` of the state folder, behind a head that names its
 * place. `service` is the base URL or data folder. Other files in the folder are ignored.
 */
export function createDraftsFolder(
  stateFolder: string,
  service: string,
  mark: Promise<ConsoleMark> = ownMark(),
): DraftKeeper {
  const folder = draftsFolder(stateFolder, service);
  /**
   * The file of the draft that was read last from an exited console, by place; the next write replaces
   * it. The text of an earlier one is not in what is written then.
   */
  const adopted = new Map<string, string>();
  let cleaned: Promise<void> | undefined;

  const ownFile = async (place: DraftPlace) =>
    path.join(folder, `${draftStem(place)}.${await mark}.draft`);

  async function find(stem?: string): Promise<readonly Found[]> {
    const found: Found[] = [];
    for (const name of await namesIn(folder)) {
      const [, ofPlace, ofConsole] = namePattern.exec(name) ?? [];
      if (ofPlace === undefined || ofConsole === undefined) continue;
      if (stem !== undefined && ofPlace !== stem) continue;
      const file = path.join(folder, name);
      const head = headIn(await readHead(file));
      if (head !== undefined && draftStem(head) === ofPlace) {
        found.push({ ...head, file, mark: ofConsole });
      }
    }
    return found.sort((left, right) => right.at - left.at);
  }

  async function removeAdopted(place: DraftPlace): Promise<void> {
    const file = adopted.get(placeKey(place));
    if (file !== undefined) await removeForGood(file);
    adopted.delete(placeKey(place));
  }

  return {
    async list() {
      cleaned ??= removeUnfinished(folder);
      await cleaned;
      const heads = new Map<string, DraftHead>();
      for (const found of await find()) {
        const head = headOf(found);
        if (!heads.has(placeKey(head))) heads.set(placeKey(head), head);
      }
      return [...heads.values()];
    },

    async read(place) {
      const self = await mark;
      const found = await find(draftStem(place));
      // This console's own draft first: the next write would replace it.
      const own = found.filter(({ mark: writer }) => writer === self);
      for (const { file, mark: writer, ...head } of new Set([...own, ...found])) {
        const draft = draftIn(head, await readRegularFile(file));
        if (draft === undefined) continue;
        adopted.delete(placeKey(place));
        if (writer !== self && (await isGone(writer))) adopted.set(placeKey(place), file);
        return draft;
      }
      return undefined;
    },

    async write(draft): Promise<WriteResult> {
      const what = `Can't save the draft of ${nameOfPlace(draft)}`;
      if (Buffer.byteLength(headLine(draft)) > longestHead) {
        return { ok: false, sentence: `${what}: its path is too long.` };
      }
      try {
        await writeAtomically(await ownFile(draft), piecesOf(draft));
        await removeAdopted(draft);
        return { ok: true };
      } catch (error) {
        return { ok: false, sentence: `${what}: ${whyNot(error, folder)}.` };
      }
    },

    async remove(place): Promise<WriteResult> {
      try {
        await removeForGood(await ownFile(place));
        await removeAdopted(place);
        return { ok: true };
      } catch (error) {
        const what = `Can't remove the draft of ${nameOfPlace(place)}`;
        return { ok: false, sentence: `${what}: ${whyNot(error, folder)}.` };
      }
    },
  };
}

/** Head of a draft's file; the text follows, and the base where there is one. */
type Head = DraftHead & {
  /** Code units. */
  readonly text: number;
  readonly base: number | undefined;
};

/** Code units of a piece that is written at once. */
const pieceLength = 1 << 18;

function headLine(draft: DraftHead & DraftContent): string {
  const { text, base } = draft;
  const head: Head = { ...headOf(draft), text: text.length, base: base?.length };
  return `${JSON.stringify(head)}\n`;
}

function* piecesOf(draft: DraftHead & DraftContent): Generator<string, void> {
  const { text, base } = draft;
  yield headLine(draft);
  if (typeof text === 'string') yield* slicesOf(text);
  else yield* text.pieces();
  yield* slicesOf(base ?? '');
}

function* slicesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const slice = text.slice(from, from + pieceLength);
    // A slice must not end inside a surrogate pair.
    const isCut = from + slice.length < text.length && /[\uD800-\uDBFF]$/.test(slice);
    const piece = isCut ? slice.slice(0, -1) : slice;
    from += piece.length;
    yield piece;
  }
}

function nameOfPlace(place: DraftPlace): string {
  return isNewDeployment(place) ? 'the new deployment' : nameIn(place.path);
}

function headIn(beginning: Buffer): Head | undefined {
  const fields = headFields(beginning);
  const { at, text, base, sentAt, name } = fields;
  const place = placeIn(fields);
  if (place === undefined || !isLength(text)) return undefined;
  if (base !== undefined && !isLength(base)) return undefined;
  if (typeof at !== 'number' || !Number.isFinite(at)) return undefined;
  return {
    ...place,
    at,
    text,
    base,
    ...(typeof sentAt === 'number' && { sentAt }),
    ...(typeof name === 'string' && { name }),
  };
}

function placeIn(fields: Readonly<Record<string, unknown>>): DraftPlace | undefined {
  const { newDeployment, deploymentId, service, path } = fields;
  if (typeof newDeployment === 'string') return { newDeployment };
  if (typeof deploymentId !== 'string' || typeof service !== 'string') return undefined;
  return typeof path === 'string' ? { deploymentId, service, path } : undefined;
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns the draft with its texts; undefined where the file is incomplete. */
function draftIn(head: Head, bytes: Buffer | undefined): Draft | undefined {
  if (bytes === undefined) return undefined;
  // A byte order mark at the start of the text belongs to it.
  const texts = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    bytes.subarray(bytes.indexOf('\n') + 1),
  );
  if (texts.length !== head.text + (head.base ?? 0)) return undefined;
  return {
    ...head,
    text: texts.slice(0, head.text),
    base: head.base === undefined ? undefined : texts.slice(head.text),
  };
}

/** Returns the folder of a service's drafts; `service` is the base URL or data folder. */
export function draftsFolder(stateFolder: string, service: string): string {
  return path.join(stateFolder, 'drafts', hashedName(service));
}

/** Returns the part of a file name that stands for the place of a draft. */
export function draftStem(place: DraftPlace): string {
  return isNewDeployment(place)
    ? hashedName(place.newDeployment)
    : hashedName(place.deploymentId, place.service, place.path);
}

/** The locks of one service, and the removal of all locks of this console. */
export interface DraftLocksFolder extends DraftLocks {
  unlockAll(): Promise<void>;
}

/**
 * Stores each lock in the file `HASH OF THE PLACE.lock` beside the drafts. A lock of an exited console
 * is ignored, and so is one that can't be written.
 */
export function createDraftLocks(
  stateFolder: string,
  service: string,
  mark: Promise<ConsoleMark> = ownMark(),
): DraftLocksFolder {
  const folder = draftsFolder(stateFolder, service);
  const fileOf = (place: DraftPlace) => path.join(folder, `${draftStem(place)}.lock`);
  const locks = createLockFiles(mark);
  return {
    lock: (place, takeOver) => locks.lock(fileOf(place), takeOver),
    unlock: (place) => locks.unlock(fileOf(place)),
    unlockAll: () => locks.unlockAll(),
    otherHolder: (place) => locks.otherHolder(fileOf(place)),
  };
}
