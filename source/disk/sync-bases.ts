/** The bases of `files sync` on disk: the files of the last sync from a folder, with their hashes. */
import path from 'node:path';
import { whyNot, writeAtomically } from './atomic-file.ts';
import { ownMark } from './console-mark.ts';
import { createLockFiles } from './lock-files.ts';
import { hashedName, jsonOf, recordFields } from './state-folder.ts';
import type { WriteResult } from '../store/drafts/places.ts';

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

export interface SyncBaseFile {
  /** Resolves with the base; empty where there is none. */
  read(): Promise<SyncBase>;
  /** Resolves when the base is on disk. */
  write(base: SyncBase): Promise<WriteResult>;
  /** Resolves with the process id of another running sync between the same ends; undefined if none. */
  lock(): Promise<number | undefined>;
  unlock(): Promise<void>;
}

/** Stores the base of each pair of ends in a file of its own, below `syncs` of the state folder. */
export function createSyncBaseFile(
  stateFolder: string,
  stateKey: string,
  { folder, deployment, service, target }: SyncEnds,
): SyncBaseFile {
  const stem = path.join(
    stateFolder,
    'syncs',
    hashedName(stateKey),
    hashedName(deployment, service, target, folder),
  );
  const locks = createLockFiles(ownMark());
  return {
    read: async () => parseBase(await jsonOf(`${stem}.json`)),
    async write(base) {
      try {
        const files = Object.fromEntries(base);
        const content = { version: 1, folder, deployment, service, target, files };
        await writeAtomically(`${stem}.json`, JSON.stringify(content));
        return { ok: true };
      } catch (error) {
        return {
          ok: false,
          sentence: `Can't save the state of the sync: ${whyNot(error, path.dirname(stem))}.`,
        };
      }
    },
    async lock() {
      const locked = await locks.lock(`${stem}.lock`);
      return locked.ok ? undefined : locked.pid;
    },
    unlock: () => locks.unlockAll(),
  };
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
