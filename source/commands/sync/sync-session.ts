/** One sync between two ends: reads both, plans, and sends. */
import path from 'node:path';
import type { Client } from '../../client/client.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import { findPartRefusal } from '../../client/upload.ts';
import type { SyncBase, SyncBaseFile, SyncEnds, SyncedContent } from '../../disk/sync-bases.ts';
import { createLocalContents } from './local-contents.ts';
import { type LocalTree, readLocalTree } from './local-tree.ts';
import type { PlannedUpload, SyncInput, SyncPlan } from './plan-sync.ts';
import { prepareSync } from './prepare-sync.ts';
import { createRemoteFiles } from './remote-files.ts';
import { type SendOptions, type SentSync, sendSync } from './send-sync.ts';

/** The local folder at one time. */
export interface FolderState {
  readonly tree: LocalTree;
  readonly local: ReadonlyMap<string, SyncedContent>;
  /** Files that change while they are read. */
  readonly unstable: readonly string[];
}

export type LocalRead =
  | { readonly ok: true; readonly state: FolderState }
  /** The folder is gone, or can't be read. */
  | { readonly ok: false; readonly reason: string };

export type Planned =
  | { readonly ok: true; readonly plan: SyncPlan }
  | { readonly ok: false; readonly error: ServiceError };

/** Receivers of the progress of a plan that is sent. */
export type SendReports = Pick<SendOptions, 'onProgress' | 'onBytes'>;

/** Plans and sends as often as wanted; remembers what it left on the service. */
export interface SyncSession {
  readLocal(): Promise<LocalRead>;
  plan(state: FolderState): Promise<Planned>;
  send(plan: SyncPlan, reports?: SendReports): Promise<SentSync>;
  /** Removes temporary files. */
  close(): Promise<void>;
}

export interface SyncSessionOptions {
  readonly client: Client;
  readonly ends: SyncEnds;
  readonly baseFile: SyncBaseFile;
  readonly base: SyncBase;
  readonly deletes: boolean;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export function createSyncSession(options: SyncSessionOptions): SyncSession {
  const { client, ends, baseFile, deletes, now, signal } = options;
  const contents = createLocalContents(ends.folder);
  const remote = createRemoteFiles({ files: client.files, ...ends, signal });
  let { base } = options;
  let hasTimes = true;

  const inputOf = ({ tree, local, unstable }: FolderState): Omit<SyncInput, 'remote'> => ({
    local,
    hidden: new Set([...tree.hidden, ...unstable]),
    base,
    deletes,
    hasTimes,
  });

  /** Moves the uploads that can't be sent under their names from a plan to its refused files. */
  const refuseNames = async (plan: SyncPlan): Promise<SyncPlan> => {
    const refusals = new Map<string, string>();
    for (const { path: below } of [...plan.creates, ...plan.updates]) {
      const source = { file: path.join(ends.folder, below) };
      const refusal = await findPartRefusal({ path: remote.placeOf(below), source });
      // A file that is gone meanwhile is found again when it is sent.
      if (refusal !== undefined && refusal.code !== 'local') refusals.set(below, refusal.reason);
    }
    const isSendable = (file: PlannedUpload): boolean => !refusals.has(file.path);
    return {
      ...plan,
      creates: plan.creates.filter(isSendable),
      updates: plan.updates.filter(isSendable),
      refused: Array.from(refusals, ([below, reason]) => ({ path: below, reason })),
    };
  };

  return {
    async readLocal() {
      const read = await readLocalTree(ends.folder);
      if (!read.ok) return read;
      const { tree } = read;
      const local = await contents.hashesOf(tree);
      const unstable = [...tree.files.keys()].filter((each) => !local.has(each));
      return { ok: true, state: { tree, local, unstable } };
    },
    async plan(state) {
      const prepared = await prepareSync(remote, inputOf(state));
      if (!prepared.ok) return prepared;
      const { plan, hasFalseTimes } = prepared.value;
      if (hasFalseTimes) hasTimes = false;
      return { ok: true, plan: await refuseNames(plan) };
    },
    async send(plan, reports) {
      const sent = await sendSync(plan, {
        remote,
        contents,
        baseFile,
        deletes,
        hasTimes,
        now: () => now() + client.clockOffset(),
        signal,
        ...reports,
      });
      ({ base } = sent);
      return sent;
    },
    close: () => remote.close(),
  };
}
