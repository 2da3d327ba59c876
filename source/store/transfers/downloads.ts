import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FilesClient } from '../../client/files.ts';
import type { ErrorCode, Result, ServiceError } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import {
  type DownloadItem,
  type DownloadPlan,
  type DownloadRequest,
  planDownload,
} from './download-plan.ts';
import type { ExcludedPath, LocalFiles } from './local-files.ts';
import { type CurrentFile, throttleReports, type TransferProgress } from './progress.ts';
import type { ConflictDecision } from './upload-plan.ts';

/** A planned download with the local files that it would replace. */
export interface PreparedDownload extends DownloadPlan {
  /** Paths of items whose local file exists already and would be replaced. */
  readonly conflicts: ReadonlySet<string>;
}

/** Outcome of a download: each planned file is in one of the lists. Paths are the service's. */
export interface DownloadOutcome {
  /** Absolute paths on this machine. */
  readonly saved: readonly string[];
  /** Files that were saved although they may be envelopes around the files. */
  readonly ambiguous: readonly string[];
  /** Files that exist already and were not replaced. */
  readonly skipped: readonly string[];
  /** Files that were not fetched because the download ended early. */
  readonly unsaved: readonly string[];
  /** Files that were not saved, each with its reason. */
  readonly leftOut: readonly ExcludedPath[];
  /** Error that ended the download early. */
  readonly error: ServiceError | undefined;
}

export interface DownloadsStore {
  /** The running download. */
  readonly state: StoreApi<
    { readonly running: DownloadPlan; readonly progress: TransferProgress } | undefined
  >;
  /** Lists the files on both sides and plans the download; fetches nothing. */
  prepare(request: DownloadRequest, signal?: AbortSignal): Promise<Result<PreparedDownload>>;
  /** Fetches the files. Resolves to undefined while another download runs. */
  fetch(plan: PreparedDownload, decision: ConflictDecision): Promise<DownloadOutcome | undefined>;
  /** Cancels the running download; saved files stay. */
  cancel(): void;
}

export interface DownloadsOptions {
  readonly client: Pick<FilesClient, 'list' | 'save'>;
  readonly local: LocalFiles;
  readonly clock: Clock;
}

/** Files fetched at the same time, because the round trip dominates for small files. */
const concurrency = 4;

/** Errors that concern a single file, so that the download continues. */
const fileErrors: ReadonlySet<ErrorCode> = new Set(['not-found', 'wrong-shape']);

export function createDownloads({ client, local, clock }: DownloadsOptions): DownloadsStore {
  const state: DownloadsStore['state'] = createStore(() => undefined);
  let abortController = new AbortController();

  /** Fetches the items, several at a time, until an error concerns all of them. */
  async function fetchAll(
    plan: DownloadPlan,
    items: readonly DownloadItem[],
  ): Promise<Omit<DownloadOutcome, 'skipped'>> {
    const { deploymentId, service } = plan.place;
    const saved: string[] = [];
    const ambiguous: string[] = [];
    const leftOut: ExcludedPath[] = [...plan.leftOut];
    const remaining = new Set(items);
    const counter = createCounter(items);
    const publish = throttleReports(clock, (progress) =>
      state.setState({ running: plan, progress }, true),
    );
    let error: ServiceError | undefined;

    async function fetchOne(item: DownloadItem): Promise<void> {
      const { path, segments } = item;
      const target = await local.createFolders(plan.folder, segments);
      if (!target.ok) {
        leftOut.push({ path, reason: target.reason });
        remaining.delete(item);
        return;
      }
      const result = await client.save(deploymentId, service, path, target.file, {
        signal: abortController.signal,
        onProgress: (bytes, announced) => {
          counter.received(item, bytes, announced);
          publish(counter.progress);
        },
      });
      if (result.ok) {
        saved.push(target.file);
        if (result.value.certainty === 'ambiguous') ambiguous.push(path);
      } else if (fileErrors.has(result.error.code)) {
        leftOut.push({ path, reason: result.error.sentence });
      } else {
        // Ignore the errors of the other files, which are caused by the abort.
        error ??= result.error;
        abortController.abort();
        return;
      }
      remaining.delete(item);
      counter.through(item);
      publish(counter.progress);
    }

    const waiting = items.values();
    const workers = Array.from({ length: concurrency }, async () => {
      for (const item of waiting) {
        if (abortController.signal.aborted) return;
        await fetchOne(item);
      }
    });
    await Promise.all(workers);
    return { saved, ambiguous, leftOut, error, unsaved: pathsOf([...remaining]) };
  }

  return {
    state,
    async prepare(request, signal) {
      const { deploymentId, service } = request.place;
      const listed = await client.list(deploymentId, service, signal);
      if (!listed.ok) return listed;
      const records = listed.value.map(({ value }) => value);
      const plan = planDownload(request, records, local.naming);
      const leftOut: ExcludedPath[] = [...plan.leftOut];
      const items: DownloadItem[] = [];
      const conflicts = new Set<string>();
      for (const item of plan.items) {
        const existing = await local.statusAt(plan.folder, item.segments);
        if (existing === 'folder') {
          leftOut.push({ path: item.path, reason: 'a folder has the same name' });
        } else {
          items.push(item);
          if (existing === 'file') conflicts.add(item.path);
        }
      }
      return { ok: true, value: { ...plan, items, leftOut, conflicts } };
    },
    async fetch(plan, decision) {
      if (state.getState() !== undefined) return undefined;
      const items = plan.items.filter(
        ({ path }) => decision === 'replace' || (decision === 'skip' && !plan.conflicts.has(path)),
      );
      abortController = new AbortController();
      state.setState({ running: plan, progress: createCounter(items).progress() }, true);
      try {
        const outcome = await fetchAll(plan, items);
        const chosen = new Set(items);
        return { ...outcome, skipped: pathsOf(plan.items.filter((item) => !chosen.has(item))) };
      } finally {
        state.setState(undefined, true);
      }
    },
    cancel() {
      abortController.abort();
    },
  };
}

function pathsOf(items: readonly DownloadItem[]): readonly string[] {
  return items.map(({ path }) => path);
}

/** Counts the progress of several concurrent files. */
function createCounter(items: readonly DownloadItem[]) {
  const hasSizes = items.every(({ size }) => size !== undefined);
  const bytes = hasSizes ? items.reduce((sum, { size = 0 }) => sum + size, 0) : undefined;
  const receivedBytes = new Map<DownloadItem, number>();
  let bytesDone = 0;
  let filesDone = 0;
  let current: CurrentFile | undefined;
  return {
    received(item: DownloadItem, received: number, announced: number | undefined): void {
      bytesDone += received - (receivedBytes.get(item) ?? 0);
      receivedBytes.set(item, received);
      current = { path: item.path, bytes: item.size ?? announced ?? received, bytesDone: received };
    },
    through(item: DownloadItem): void {
      receivedBytes.delete(item);
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
