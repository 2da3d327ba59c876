import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FilesClient } from '../../client/client.ts';
import type { ErrorCode, Result, ServiceError } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import {
  type DownloadItem,
  type DownloadPlan,
  type DownloadRequest,
  planDownload,
} from './download-plan.ts';
import type { LeftOut, LocalFiles } from './local-files.ts';
import { type CurrentFile, pacedReport, type TransferProgress } from './progress.ts';
import type { Decision } from './upload-plan.ts';

/** A planned download with what of it is there already. */
export interface PreparedDownload extends DownloadPlan {
  /** Paths of items whose files are on this machine already: they would be replaced. */
  readonly conflicts: ReadonlySet<string>;
}

/** What became of a download: each planned file is in one of the lists. Paths are the service's. */
export interface DownloadOutcome {
  /** Absolute paths on this machine. */
  readonly saved: readonly string[];
  /** Saved as they came, since nothing decided whether they are files or envelopes around files. */
  readonly ambiguous: readonly string[];
  /** There already, and left as they were. */
  readonly skipped: readonly string[];
  /** Not fetched, as the download ended before. */
  readonly unsaved: readonly string[];
  /** Not saved for a reason of their own. */
  readonly leftOut: readonly LeftOut[];
  /** Why it ended before all was saved. */
  readonly error: ServiceError | undefined;
}

export interface DownloadsStore {
  /** The download that is under way. */
  readonly state: StoreApi<
    { readonly running: DownloadPlan; readonly progress: TransferProgress } | undefined
  >;
  /** Looks at both sides and plans; nothing is fetched. */
  prepare(request: DownloadRequest, signal?: AbortSignal): Promise<Result<PreparedDownload>>;
  /** Fetches; undefined while another download is under way. */
  fetch(plan: PreparedDownload, decision: Decision): Promise<DownloadOutcome | undefined>;
  /** Ends the download that is under way; what is saved stays. */
  cancel(): void;
}

export interface DownloadsOptions {
  readonly client: Pick<FilesClient, 'list' | 'save'>;
  readonly local: LocalFiles;
  readonly clock: Clock;
}

/** Files at once: small ones wait for the way there and back, not for bytes. */
const atOnce = 4;

/** Errors that concern one file: the others may be had all the same. */
const ofOneFile: ReadonlySet<ErrorCode> = new Set(['not-found', 'wrong-shape']);

export function createDownloads({ client, local, clock }: DownloadsOptions): DownloadsStore {
  const state: DownloadsStore['state'] = createStore(() => undefined);
  let ending = new AbortController();

  /** Fetches the items, some at a time; the first error that concerns all of them ends it. */
  async function fetchAll(
    plan: DownloadPlan,
    items: readonly DownloadItem[],
  ): Promise<Omit<DownloadOutcome, 'skipped'>> {
    const { deploymentId, service } = plan.place;
    const saved: string[] = [];
    const ambiguous: string[] = [];
    const leftOut: LeftOut[] = [...plan.leftOut];
    const open = new Set(items);
    const tally = tallyOf(items);
    const publish = pacedReport(clock, (progress) =>
      state.setState({ running: plan, progress }, true),
    );
    let error: ServiceError | undefined;

    async function fetchOne(item: DownloadItem): Promise<void> {
      const { path, segments } = item;
      const way = await local.makeWay(plan.folder, segments);
      if (!way.ok) {
        leftOut.push({ path, reason: way.reason });
        open.delete(item);
        return;
      }
      const result = await client.save(deploymentId, service, path, way.file, {
        signal: ending.signal,
        onProgress: (bytes, announced) => {
          tally.received(item, bytes, announced);
          publish(tally.progress);
        },
      });
      if (result.ok) {
        saved.push(way.file);
        if (result.value.reading === 'ambiguous') ambiguous.push(path);
      } else if (ofOneFile.has(result.error.code)) {
        leftOut.push({ path, reason: result.error.sentence });
      } else {
        // What the others then say is only that they were ended too.
        error ??= result.error;
        ending.abort();
        return;
      }
      open.delete(item);
      tally.through(item);
      publish(tally.progress);
    }

    const waiting = items.values();
    const workers = Array.from({ length: atOnce }, async () => {
      for (const item of waiting) {
        if (ending.signal.aborted) return;
        await fetchOne(item);
      }
    });
    await Promise.all(workers);
    return { saved, ambiguous, leftOut, error, unsaved: pathsOf([...open]) };
  }

  return {
    state,
    async prepare(request, signal) {
      const { deploymentId, service } = request.place;
      const listed = await client.list(deploymentId, service, signal);
      if (!listed.ok) return listed;
      const records = listed.value.map(({ value }) => value);
      const plan = planDownload(request, records, local.naming);
      const leftOut: LeftOut[] = [...plan.leftOut];
      const items: DownloadItem[] = [];
      const conflicts = new Set<string>();
      for (const item of plan.items) {
        const there = await local.at(plan.folder, item.segments);
        if (there === 'folder') {
          leftOut.push({ path: item.path, reason: 'a folder has the same name' });
        } else {
          items.push(item);
          if (there === 'file') conflicts.add(item.path);
        }
      }
      return { ok: true, value: { ...plan, items, leftOut, conflicts } };
    },
    async fetch(plan, decision) {
      if (state.getState() !== undefined) return undefined;
      const items = plan.items.filter(
        ({ path }) => decision === 'replace' || (decision === 'skip' && !plan.conflicts.has(path)),
      );
      ending = new AbortController();
      state.setState({ running: plan, progress: tallyOf(items).progress() }, true);
      try {
        const outcome = await fetchAll(plan, items);
        const taken = new Set(items);
        return { ...outcome, skipped: pathsOf(plan.items.filter((item) => !taken.has(item))) };
      } finally {
        state.setState(undefined, true);
      }
    },
    cancel() {
      ending.abort();
    },
  };
}

function pathsOf(items: readonly DownloadItem[]): readonly string[] {
  return items.map(({ path }) => path);
}

/** Adds up what comes of several files at once. */
function tallyOf(items: readonly DownloadItem[]) {
  const known = items.every(({ size }) => size !== undefined);
  const bytes = known ? items.reduce((sum, { size = 0 }) => sum + size, 0) : undefined;
  const coming = new Map<DownloadItem, number>();
  let bytesDone = 0;
  let filesDone = 0;
  let current: CurrentFile | undefined;
  return {
    received(item: DownloadItem, received: number, announced: number | undefined): void {
      bytesDone += received - (coming.get(item) ?? 0);
      coming.set(item, received);
      current = { path: item.path, bytes: item.size ?? announced ?? received, bytesDone: received };
    },
    through(item: DownloadItem): void {
      coming.delete(item);
      filesDone += 1;
    },
    progress: (): TransferProgress => ({
      files: items.length,
      filesDone,
      bytes,
      bytesDone,
      current,
    }),
  };
}
