import path from 'node:path';
import { removeForGood, whyNot, writeAtomically } from './atomic-file.ts';
import { type ConsoleMark, isGone, ownMark } from './console-mark.ts';
import { fieldsOf, jsonOf, nameOf, namesIn, removeUnfinished } from './kept-folder.ts';
import type { Draft, DraftHead, DraftKeeper } from './store/drafts.ts';
import { type Kept, type KeptPlace, nameIn, placeKey } from './store/kept.ts';

/** `HASH OF THE PLACE.MARK OF THE CONSOLE.json`: two consoles in one file have a draft each. */
const namePattern = /^([0-9a-f]{32})\.([0-9a-z-]+)\.json$/;

interface Found extends Draft {
  readonly file: string;
  readonly mark: ConsoleMark;
}

/**
 * Keeps each draft in a file of its own below `drafts` of the state folder. `service` is the base
 * URL. Files that hold no draft are passed over and left where they are.
 */
export function createDraftsFolder(
  stateFolder: string,
  service: string,
  mark: Promise<ConsoleMark> = ownMark(),
): DraftKeeper {
  const folder = path.join(stateFolder, 'drafts', nameOf(service));
  /** Drafts of consoles that run no more, by the place where they were read: ours from then on. */
  const adopted = new Map<string, ReadonlySet<string>>();
  let cleaned: Promise<void> | undefined;

  const stemOf = (place: KeptPlace) => nameOf(place.deploymentId, place.service, place.path);
  const ownFile = async (place: KeptPlace) =>
    path.join(folder, `${stemOf(place)}.${await mark}.json`);

  async function find(stem?: string): Promise<readonly Found[]> {
    const found: Found[] = [];
    for (const name of await namesIn(folder)) {
      const [, ofPlace, ofConsole] = namePattern.exec(name) ?? [];
      if (ofPlace === undefined || ofConsole === undefined) continue;
      if (stem !== undefined && ofPlace !== stem) continue;
      const file = path.join(folder, name);
      const draft = draftIn(await jsonOf(file));
      if (draft !== undefined && stemOf(draft) === ofPlace) {
        found.push({ ...draft, file, mark: ofConsole });
      }
    }
    return found.sort((left, right) => right.at - left.at);
  }

  async function removeAdopted(place: KeptPlace): Promise<void> {
    for (const file of adopted.get(placeKey(place)) ?? []) await removeForGood(file);
    adopted.delete(placeKey(place));
  }

  return {
    async list() {
      cleaned ??= removeUnfinished(folder);
      await cleaned;
      const heads = new Map<string, DraftHead>();
      for (const { deploymentId, service, path, at } of await find()) {
        const head = { deploymentId, service, path, at };
        if (!heads.has(placeKey(head))) heads.set(placeKey(head), head);
      }
      return [...heads.values()];
    },

    async read(place) {
      const [newest] = await find(stemOf(place));
      if (newest === undefined) return undefined;
      const { file, mark: writer, ...draft } = newest;
      if (writer !== (await mark) && (await isGone(writer))) {
        const key = placeKey(place);
        adopted.set(key, new Set(adopted.get(key)).add(file));
      }
      return draft;
    },

    async write(draft): Promise<Kept> {
      try {
        await writeAtomically(await ownFile(draft), JSON.stringify(draft));
        await removeAdopted(draft);
        return { ok: true };
      } catch (error) {
        const what = `The draft of ${nameIn(draft.path)} could not be kept`;
        return { ok: false, sentence: `${what}: ${whyNot(error)}.` };
      }
    },

    async remove(place): Promise<Kept> {
      try {
        await removeForGood(await ownFile(place));
        await removeAdopted(place);
        return { ok: true };
      } catch (error) {
        const what = `The draft of ${nameIn(place.path)} could not be removed`;
        return { ok: false, sentence: `${what}: ${whyNot(error)}.` };
      }
    },
  };
}

function draftIn(json: unknown): Draft | undefined {
  const { deploymentId, service, path, text, base, at } = fieldsOf(json);
  if (typeof deploymentId !== 'string' || typeof service !== 'string') return undefined;
  if (typeof path !== 'string' || typeof text !== 'string') return undefined;
  if (base !== undefined && typeof base !== 'string') return undefined;
  if (typeof at !== 'number' || !Number.isFinite(at)) return undefined;
  return { deploymentId, service, path, text, base, at };
}
