import fs from 'node:fs';
import path from 'node:path';

/** Remembers which deployment was opened last, for each service the console talks to. */
export interface LastOpened {
  read(): string | undefined;
  write(id: string): Promise<void>;
}

/**
 * Keeps it in `opened.json` of the state folder, by service. A file that cannot be read counts as
 * empty and one that cannot be written is let go: it is a convenience, no promise hangs on it.
 */
export function createLastOpened(stateFolder: string, service: string): LastOpened {
  const file = path.join(stateFolder, 'opened.json');
  let writing = Promise.resolve();

  /** At once: it is a line or two, and the start waits for it. */
  function readAll(): Record<string, string> {
    try {
      const content: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
      if (typeof content !== 'object' || content === null) return {};
      return Object.fromEntries(
        Object.entries(content).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      );
    } catch {
      return {};
    }
  }

  async function writeAll(id: string): Promise<void> {
    try {
      const all = { ...readAll(), [service]: id };
      await fs.promises.mkdir(stateFolder, { recursive: true, mode: 0o700 });
      const temporary = `${file}.${process.pid}`;
      await fs.promises.writeFile(temporary, JSON.stringify(all), { mode: 0o600 });
      await fs.promises.rename(temporary, file);
    } catch {
      // Read-only home, full disk: the next start opens the first active deployment instead.
    }
  }

  return {
    read: () => readAll()[service],
    write(id) {
      writing = writing.then(() => writeAll(id));
      return writing;
    },
  };
}
