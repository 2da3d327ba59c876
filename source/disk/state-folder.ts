import { createHash } from 'node:crypto';
import { constants, lstat, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { unfinished } from './atomic-file.ts';
import { isGone, markPattern } from './console-mark.ts';

/** Larger files are none that were kept here. */
const largestBytes = 2 ** 30;

/** Names from a service may be anything, too long for a file name as well: a hash stands for them. */
export function hashedName(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Names in a folder; none where there is no folder, or none that can be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

/** What a file holds; undefined where it is none, or cannot be read. */
export async function readRegularFile(file: string): Promise<Buffer | undefined> {
  try {
    // A pipe would be waited for, and a link leads anywhere.
    const found = await lstat(file);
    return found.isFile() && found.size <= largestBytes ? await readFile(file) : undefined;
  } catch {
    return undefined;
  }
}

/** A file with a head begins with one line of JSON. A path is never as long as this. */
export const longestHead = 64 * 1024;

/** As much of a file's beginning as its head may take; nothing where it cannot be read. */
export async function readHead(file: string): Promise<Buffer> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestHead), 0, longestHead, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** The fields of the line of JSON that a file begins with. */
export function headFields(beginning: Buffer): Readonly<Record<string, unknown>> {
  const end = beginning.indexOf('\n');
  return end === -1 ? {} : recordFields(parseJson(beginning.subarray(0, end).toString('utf8')));
}

/** The JSON in a file; undefined where it holds none, as `null` does. */
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

/** The fields of a value that was read; none of one that is no record. */
export function recordFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Removes files that consoles were writing when they were killed. Their mark is in the name. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(unfinished)) continue;
    const mark = name.split('.').find((part) => markPattern.test(part));
    if (mark === undefined || !(await isGone(mark))) continue;
    await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}
