import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FilesClient } from '../../client/files.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { UploadWrites } from '../drafts/file-writes.ts';
import type { FilesPlace } from '../files/files.ts';
import type { ExcludedPath, LocalFiles } from './local-files.ts';
import { progressAt, throttleReports, type TransferProgress } from './progress.ts';
import { sendBatch } from './upload-batch.ts';
import {
  type BatchLimits,
  type ConflictDecision,
  halvedLimits,
  itemsToSend,
  nextBatch,
  planUpload,
  type UploadItem,
  type UploadPlan,
  usualLimits,
} from './upload-plan.ts';
import type { ReplacedTrash } from './upload-replaced.ts';

/** Outcome of an upload: each planned file is in one of the lists. Paths are the service's. */
export interface UploadOutcome {
  readonly sent: readonly string[];
  /** Files that exist already and were not replaced. */
  readonly skipped: readonly string[];
  /** Files that were sent without an answer; they may have arrived. */
  readonly unknown: readonly string[];
  /** Files that were not sent because the upload ended early. */
  readonly unsent: readonly string[];
  /** Files that were not sent, each with its reason. */
  readonly leftOut: readonly ExcludedPath[];
  /** Error that ended the upload early. */
  readonly error: ServiceError | undefined;
}

export interface UploadRequest {
  readonly place: FilesPlace;
  /** Folder in the service; empty for its root. */
  readonly target: string;
  /** Paths of local files and folders. */
  readonly paths: readonly string[];
}

export interface UploadsStore {
  /** The running upload. */
  readonly state: StoreApi<
    { readonly running: UploadPlan; readonly progress: TransferProgress } | undefined
  >;
  /** Lists the files on both sides and plans the upload; sends nothing. */
  prepare(request: UploadRequest, signal?: AbortSignal): Promise<Result<UploadPlan>>;
  /** Sends the files. Resolves to undefined while another upload runs. */
  send(plan: UploadPlan, decision: ConflictDecision): Promise<UploadOutcome | undefined>;
  /** Cancels the running upload. */
  cancel(): void;
}

export interface UploadsOptions {
  readonly client: Pick<FilesClient, 'list' | 'get' | 'upload'>;
  readonly local: LocalFiles;
  readonly clock: Clock;
  readonly trash: ReplacedTrash;
  /** Takes the files of each request before it is sent, and the report that they arrived. */
  readonly writes: UploadWrites;
  readonly limits?: BatchLimits;
}

/** Most files of one upload. */
const maxFiles = 100_000;

export function createUploads(options: UploadsOptions): UploadsStore {
  const { client, local, clock, limits = usualLimits } = options;
  const state: UploadsStore['state'] = createStore(() => undefined);
  let abortController = new AbortController();

  async function sendAll(
    plan: UploadPlan,
    items: readonly UploadItem[],
    signal: AbortSignal,
  ): Promise<Omit<UploadOutcome, 'skipped'>> {
    const { place } = plan;
    const total = sizeOf(items);
    const publish = throttleReports(clock, (progress) =>
      state.setState({ running: plan, progress }, true),
    );
    const sent: string[] = [];
    const leftOut: ExcludedPath[] = [...plan.leftOut];
    const kept = new Set<string>();
    const trashBatch = `upload ${clock.now()}`;
    let bounds = limits;
    let waiting = items;
    while (waiting.length > 0) {
      const batch = nextBatch(waiting, bounds);
      const rest = waiting.slice(batch.length);
      const before = { files: items.length - waiting.length, bytes: total - sizeOf(waiting) };
      const onProgress = (sending: readonly UploadItem[], bytes: number) =>
        publish(() => {
          const { done, current } = progressAt(sending, bytes);
          return {
            files: items.length,
            filesDone: before.files + done,
            bytes: total,
            bytesDone: before.bytes + bytes,
            current,
          };
        });
      const outcome = await sendBatch({
        ...options,
        place,
        items: batch,
        kept,
        batch: trashBatch,
        signal,
        onProgress,
      });
      leftOut.push(...outcome.leftOut);
      if (outcome.kind === 'failed') {
        const { error, unknown, unsent } = outcome;
        return {
          sent,
          leftOut,
          error,
          unknown: pathsOf(unknown),
          unsent: pathsOf([...unsent, ...rest]),
        };
      }
      if (outcome.kind === 'refused') {
        bounds = halvedLimits(outcome.items);
        waiting = [...outcome.items, ...rest];
        continue;
      }
      sent.push(...pathsOf(outcome.items));
      waiting = rest;
    }
    return { sent, leftOut, error: undefined, unknown: [], unsent: [] };
  }

  return {
    state,
    async prepare({ place, target, paths }, signal) {
      const [walked, listed] = await Promise.all([
        local.walk(paths, { most: maxFiles, signal }),
        client.list(place.deploymentId, place.service, signal),
      ]);
      if (!listed.ok) return listed;
      const existing = listed.value.map(({ value }) => value);
      return { ok: true, value: planUpload({ place, target, walked, existing }) };
    },
    async send(plan, decision) {
      if (state.getState() !== undefined) return undefined;
      const items = itemsToSend(plan, decision);
      abortController = new AbortController();
      const bytes = sizeOf(items);
      const initialProgress = {
        files: items.length,
        filesDone: 0,
        bytes,
        bytesDone: 0,
        current: undefined,
      };
      state.setState({ running: plan, progress: initialProgress }, true);
      const endOperation = options.writes.operation(plan.place.deploymentId);
      try {
        const outcome = await sendAll(plan, items, abortController.signal);
        const chosen = new Set(items);
        const skipped = plan.items.filter((item) => !chosen.has(item));
        return { ...outcome, skipped: pathsOf(skipped) };
      } finally {
        state.setState(undefined, true);
        endOperation();
      }
    },
    cancel() {
      abortController.abort();
    },
  };
}

function sizeOf(items: readonly UploadItem[]): number {
  return items.reduce((sum, { size }) => sum + size, 0);
}

function pathsOf(items: readonly UploadItem[]): readonly string[] {
  return items.map(({ path }) => path);
}
