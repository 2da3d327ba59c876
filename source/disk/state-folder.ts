import { createHash } from 'node:crypto';
import { constants, type FileHandle, lstat, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, unfinished } from './atomic-file.ts';
import { isGone, markPattern } from './console-mark.ts';

/** Bytes of the largest file that hostdeck writes to its state folder. */
const largestBytes = 2 ** 30;

/** Returns a file name for names from a service, which may hold any character and be too long. */
export function hashedName(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Error codes of a machine that is out of descriptors, which often lasts a moment only. */
const shortageCodes = new Set(['EMFILE', 'ENFILE']);

/** Milliseconds between two attempts to read during a shortage, and their number. */
const shortage = { pause: 200, attempts: 5 };

/** Reads during a shortage of descriptors as well, when nothing may be overlooked. */
async function readPatiently<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === shortage.attempts || !shortageCodes.has(errorCode(error))) throw error;
    }
    await sleep(shortage.pause);
  }
}

/** Resolves with the names in a folder; none where the folder can't be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readPatiently(() => readdir(folder));
  } catch {
    return [];
  }
}

/** Resolves with the content of a regular file; undefined for anything else. */
export async function readRegularFile(file: string): Promise<Buffer | undefined> {
  try {
    // Reading a pipe would wait for its writer, and a link may lead anywhere.
    const found = await lstat(file);
    return found.isFile() && found.size <= largestBytes
      ? await readPatiently(() => readFile(file))
      : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes of the longest head: the line of JSON that a file begins with. No path is as long. */
export const longestHead = 64 * 1024;

/** Bytes that hold all of a usual head. */
const usualHead = 1024;

/** Resolves with the beginning of a file and its whole head; empty where it can't be read. */
export async function readHead(file: string): Promise<Buffer> {
  try {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK;
    const handle = await readPatiently(() => open(file, flags));
    try {
      const beginning = await beginningOf(handle, usualHead);
      return beginning.includes('\n') ? beginning : await beginningOf(handle, longestHead);
    } finally {
      await handle.close();
    }
  } catch {
    return Buffer.alloc(0);
  }
}

async function beginningOf(handle: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Returns the fields of the JSON line that a file begins with. */
export function headFields(beginning: Buffer): Readonly<Record<string, unknown>> {
  const end = beginning.indexOf('\n');
  return end === -1 ? {} : recordFields(parseJson(beginning.subarray(0, end).toString('utf8')));
}

/** Resolves with the JSON value of a file; undefined where the file holds no JSON, or `null`. */
export async function jsonOf(file: string): Promise<unknown> {
  const bytes = await readRegularFile(file);
  return bytes === undefined ? undefined : parseJson(bytes.toString('utf8'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns the fields of a parsed value; none for a value that isn't an object. */
export function recordFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Removes unfinished files of consoles that have exited; their names hold the console's mark. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(unfinished)) continue;
    const mark = name.split('.').find((part) => markPattern.test(part));
    if (mark === undefined || !(await isGone(mark))) continue;
    await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}
