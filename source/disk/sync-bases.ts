/** The bases of `files sync` on disk: the files of the last sync from a folder, with their hashes. */
import path from 'node:path';
import type { WriteResult } from '../store/drafts/places.ts';
import { whyNot, writeAtomically } from './atomic-file.ts';
import { ownMark } from './console-mark.ts';
import { createLockFiles } from './lock-files.ts';
import { hashedName, jsonOf, recordFields } from './state-folder.ts';

/** A content that a sync knows. */
export interface SyncedContent {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** One file of a base. */
export interface BaseFile {
  /** Content on the service after the last sync; undefined while the first upload is unconfirmed. */
  readonly content?: SyncedContent | undefined;
  /** Content of an upload whose outcome is not confirmed. */
  readonly sent?: SyncedContent | undefined;
  /** False for a file that was on the service before, with the same content. */
  readonly isPut: boolean;
  /** Time that the service listed after the last sync. */
  readonly modifiedAt?: string | undefined;
}

/** The files of the last sync, by their paths below the folder. */
export type SyncBase = ReadonlyMap<string, BaseFile>;

/** The two ends of a sync. */
export interface SyncEnds {
  /** Real path of the local folder. */
  readonly folder: string;
  readonly deployment: string;
  readonly service: string;
  /** Folder on the service; empty for its root. */
  readonly target: string;
}

/** The base of a pair of ends, in a file of its own below `syncs` of the state folder. */
export class SyncBaseFile {
  readonly ends: SyncEnds;
  readonly #stem: string;
  readonly #locks = createLockFiles(ownMark());

  constructor(stateFolder: string, stateKey: string, ends: SyncEnds) {
    const name = hashedName(ends.deployment, ends.service, ends.target, ends.folder);
    this.ends = ends;
    this.#stem = path.join(stateFolder, 'syncs', hashedName(stateKey), name);
  }

  /** Resolves with the base; empty where there is none. */
  async read(): Promise<SyncBase> {
    return parseBase(await jsonOf(`${this.#stem}.json`));
  }

  /** Resolves when the base is on disk. */
  async write(base: SyncBase): Promise<WriteResult> {
    try {
      const content = { version: 1, ...this.ends, files: Object.fromEntries(base) };
      await writeAtomically(`${this.#stem}.json`, JSON.stringify(content));
      return { ok: true };
    } catch (error) {
      const reason = whyNot(error, path.dirname(this.#stem));
      return { ok: false, sentence: `Can't save the state of the sync: ${reason}.` };
    }
  }

  /** Resolves with the process id of another running sync between the same ends; undefined if none. */
  async lock(): Promise<number | undefined> {
    const locked = await this.#locks.lock(`${this.#stem}.lock`);
    return locked.ok ? undefined : locked.pid;
  }

  unlock(): Promise<void> {
    return this.#locks.unlockAll();
  }
}

/** Returns the base in a file; malformed entries are left out, so that their files count as foreign. */
function parseBase(json: unknown): SyncBase {
  const { version, files } = recordFields(json);
  const base = new Map<string, BaseFile>();
  if (version !== 1) return base;
  for (const [name, value] of Object.entries(recordFields(files))) {
    const { content, sent, isPut, modifiedAt } = recordFields(value);
    const known = { content: parseContent(content), sent: parseContent(sent) };
    if (known.content === undefined && known.sent === undefined) continue;
    base.set(name, {
      ...known,
      isPut: isPut === true,
      modifiedAt: typeof modifiedAt === 'string' ? modifiedAt : undefined,
    });
  }
  return base;
}

function parseContent(json: unknown): SyncedContent | undefined {
  const { hash, size } = recordFields(json);
  return typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && typeof size === 'number'
    ? { hash, size }
    : undefined;
}
