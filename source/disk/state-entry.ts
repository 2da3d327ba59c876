import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../system/make-folder.ts';
import type { AnsweredDrafts } from '../store/drafts/answered.ts';

/** One entry of a small JSON file in the state folder; other services have their own entries in it. */
export interface StateEntry {
  /** Returns the stored value; undefined where there is none, or the file can't be read. */
  read(): unknown;
  /** Resolves when the file holds this value or a later one. */
  write(value: unknown): Promise<void>;
}

/**
 * Returns an entry of a JSON file that only its owner may read. Failures are ignored, because the file
 * holds conveniences: an unreadable file counts as empty, and a failed write is dropped.
 */
export function createStateEntry(stateFolder: string, name: string, key: string): StateEntry {
  const file = path.join(stateFolder, name);
  let writing: Promise<void> | undefined;
  let pending: { readonly value: unknown } | undefined;
  /** The last value until it is on disk, so that it is read while it is written. */
  let unwritten: { readonly value: unknown } | undefined;

  /** Synchronous, because the file is tiny and the start needs it. */
  function readAll(): Map<string, unknown> {
    try {
      return entriesIn(fs.readFileSync(file, 'utf8'));
    } catch {
      return new Map();
    }
  }

  /** Throws where the file is there and can't be read: writing then would drop its other entries. */
  function readForWrite(): Map<string, unknown> {
    return fs.existsSync(file) ? entriesIn(fs.readFileSync(file, 'utf8')) : new Map();
  }

  async function writeAll(value: unknown): Promise<void> {
    try {
      const all = readForWrite().set(key, value);
      await makeFolder(stateFolder, 0o700);
      const temporary = `${file}.${process.pid}`;
      await fs.promises.writeFile(temporary, JSON.stringify(Object.fromEntries(all)), {
        mode: 0o600,
      });
      await fs.promises.rename(temporary, file);
    } catch {
      // Read-only home or full disk: the next start uses the defaults.
    }
  }

  async function writePending(): Promise<void> {
    // The pending frame is drawn first, because loading fs.promises takes a while.
    await new Promise(setImmediate);
    while (pending !== undefined) {
      const { value } = pending;
      pending = undefined;
      await writeAll(value);
    }
    writing = undefined;
    unwritten = undefined;
  }

  return {
    read: () => (unwritten === undefined ? readAll().get(key) : unwritten.value),
    write(value) {
      pending = { value };
      unwritten = pending;
      return (writing ??= writePending());
    },
  };
}

/** Returns the entries of the file's text; none where it is damaged. */
function entriesIn(text: string): Map<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    return new Map(typeof content === 'object' && content !== null ? Object.entries(content) : []);
  } catch {
    return new Map();
  }
}

/** The deployment that was opened last, for each service. */
interface LastOpened {
  read(): string | undefined;
  write(id: string): Promise<void>;
}

/** Stores the id in `opened.json` of the state folder, by service. */
export function createLastOpened(stateFolder: string, service: string): LastOpened {
  const entry = createStateEntry(stateFolder, 'opened.json', service);
  return {
    read() {
      const id = entry.read();
      return typeof id === 'string' ? id : undefined;
    },
    write: (id) => entry.write(id),
  };
}

/** Stores the ids of the answered drafts in `answered.json` of the state folder, by service. */
export function createAnsweredDrafts(
  stateFolder: string,
  service: string,
  onWrite: (written: Promise<void>) => void,
): AnsweredDrafts {
  const entry = createStateEntry(stateFolder, 'answered.json', service);
  return {
    read() {
      const ids = entry.read();
      return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
    },
    write: (ids) => onWrite(entry.write(ids)),
  };
}
