import fs from 'node:fs';
import path from 'node:path';

/** One entry of a small file in the state folder, which others have entries of their own in. */
export interface StateEntry {
  /** As it is in the file; undefined where there is none, or no file that can be read. */
  read(): unknown;
  /** Resolves when the file holds this or what was written after it. */
  write(value: unknown): Promise<void>;
}

/**
 * Keeps an entry of a JSON file, for its owner only. A file that cannot be read counts as empty and
 * one that cannot be written is let go: it holds conveniences, no promise hangs on it.
 */
export function createStateEntry(stateFolder: string, name: string, key: string): StateEntry {
  const file = path.join(stateFolder, name);
  let writing: Promise<void> | undefined;
  let wanted: { readonly value: unknown } | undefined;

  /** At once: it is a line or two, and the start waits for it. */
  function readAll(): Map<string, unknown> {
    try {
      const content: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
      return new Map(
        typeof content === 'object' && content !== null ? Object.entries(content) : [],
      );
    } catch {
      return new Map();
    }
  }

  async function writeAll(value: unknown): Promise<void> {
    try {
      const all = readAll().set(key, value);
      await fs.promises.mkdir(stateFolder, { recursive: true, mode: 0o700 });
      const temporary = `${file}.${process.pid}`;
      await fs.promises.writeFile(temporary, JSON.stringify(Object.fromEntries(all)), {
        mode: 0o600,
      });
      await fs.promises.rename(temporary, file);
    } catch {
      // Read-only home, full disk: the next start knows nothing of it.
    }
  }

  async function writeWanted(): Promise<void> {
    // What writes is loaded first, which takes a while: what is about to be drawn goes before it.
    await new Promise(setImmediate);
    while (wanted !== undefined) {
      const { value } = wanted;
      wanted = undefined;
      await writeAll(value);
    }
    writing = undefined;
  }

  return {
    read: () => readAll().get(key),
    write(value) {
      wanted = { value };
      return (writing ??= writeWanted());
    },
  };
}
