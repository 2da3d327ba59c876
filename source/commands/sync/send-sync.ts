/** Sends a plan: checks the service again right before each write, and keeps the base on disk. */
import type { ServiceError } from '../../client/http/errors.ts';
import { groupByRequest } from '../../contract/exact-filename.ts';
import type { BaseFile, SyncBase, SyncBaseFile, SyncedContent } from '../../disk/sync-bases.ts';
import type { LocalContents, ReadyFile } from './local-contents.ts';
import type { PlannedDeletion, SyncConflict, SyncPlan } from './plan-sync.ts';
import { prepareSync } from './prepare-sync.ts';
import type { RemoteFiles } from './remote-files.ts';

/** A file that could not be synced, and why. */
export interface SyncFailure {
  readonly path: string;
  readonly reason: string;
}

/** A file that was written on the service. */
export interface SyncWrite {
  readonly action: 'create' | 'update' | 'delete';
  readonly path: string;
}

/** The result of sending a plan. */
export interface SentSync {
  readonly base: SyncBase;
  /** Files that were written on the service, in their order. */
  readonly written: readonly SyncWrite[];
  /** Files that someone changed after the plan was made. */
  readonly conflicts: readonly SyncConflict[];
  readonly failures: readonly SyncFailure[];
  /** Files that went away or kept changing, so that they were not sent. */
  readonly postponed: readonly string[];
  /** Error that ended the sync before its end. */
  readonly stoppedBy: ServiceError | undefined;
  /** Reason why the base could not be kept, which ends the sync as well. */
  readonly unsaved: string | undefined;
}

export interface SendOptions {
  readonly remote: RemoteFiles;
  readonly contents: LocalContents;
  readonly baseFile: SyncBaseFile;
  readonly deletes: boolean;
  readonly hasTimes: boolean;
  /** Clock of the service, ms since the epoch. */
  readonly now: () => number;
  /** Ends the sync after the request in flight. */
  readonly signal: AbortSignal;
  /** Receives the files uploaded so far, after each batch. */
  readonly onProgress?: ((uploaded: number) => void) | undefined;
  /** Receives the bytes of file contents sent so far. */
  readonly onBytes?: ((sent: number) => void) | undefined;
}

/** Most files and bytes of one upload. A larger file is sent alone. */
const batchFiles = 200;
const batchBytes = 32 * 1024 * 1024;

/** Deletions between two lists. */
const batchDeletions = 20;

/** Sends all of a plan that is still right. */
export async function sendSync(plan: SyncPlan, options: SendOptions): Promise<SentSync> {
  const sender = new Sender(plan.base, options);
  const uploads = [...plan.creates, ...plan.updates].map(({ path }) => path);
  const first = plan.deletes.filter(({ clearsWay }) => clearsWay);
  const last = plan.deletes.filter(({ clearsWay }) => !clearsWay);
  await sender.delete(first);
  await sender.upload(uploads);
  await sender.delete(last);
  await sender.finish();
  return sender.result();
}

/** State of one run through a plan. */
class Sender {
  readonly #options: SendOptions;
  readonly #base: Map<string, BaseFile>;
  readonly #conflicts: SyncConflict[] = [];
  readonly #failures: SyncFailure[] = [];
  readonly #postponed: string[] = [];
  readonly #startedAt: number;
  readonly #written: SyncWrite[] = [];
  /** Bytes of the batches before the one that is sent. */
  #bytesBefore = 0;
  #stoppedBy: ServiceError | undefined;
  #unsaved: string | undefined;

  constructor(base: SyncBase, options: SendOptions) {
    this.#base = new Map(base);
    this.#options = options;
    this.#startedAt = options.now();
  }

  result(): SentSync {
    return {
      base: this.#base,
      written: this.#written,
      conflicts: this.#conflicts,
      failures: this.#failures,
      postponed: this.#postponed,
      stoppedBy: this.#stoppedBy,
      unsaved: this.#unsaved,
    };
  }

  get #isStopped(): boolean {
    const { signal } = this.#options;
    return signal.aborted || this.#stoppedBy !== undefined || this.#unsaved !== undefined;
  }

  async upload(paths: readonly string[]): Promise<void> {
    let batch = new Map<string, ReadyFile>();
    let bytes = 0;
    for (const path of paths) {
      if (this.#isStopped) return;
      const ready = await this.#options.contents.ready(path);
      if (ready === undefined) {
        this.#postponed.push(path);
        continue;
      }
      const { size } = ready.content;
      if (batch.size >= batchFiles || (batch.size > 0 && bytes + size > batchBytes)) {
        await this.#uploadBatch(batch);
        batch = new Map();
        bytes = 0;
      }
      batch.set(path, ready);
      bytes += size;
    }
    if (!this.#isStopped && batch.size > 0) await this.#uploadBatch(batch);
  }

  async delete(deletions: readonly PlannedDeletion[]): Promise<void> {
    for (let at = 0; at < deletions.length && !this.#isStopped; at += batchDeletions) {
      const chunk = deletions.slice(at, at + batchDeletions).map(({ path }) => path);
      const still = await this.#decideAgain(chunk, new Map());
      for (const { path } of still?.deletes ?? []) await this.#deleteOne(path);
    }
  }

  /** Notes the times that the service lists now, by which a later sync sees changes of others. */
  async finish(): Promise<void> {
    const uploads = this.#written.filter(({ action }) => action !== 'delete');
    if (uploads.length > 0 && this.#stoppedBy === undefined) {
      const listed = await this.#options.remote.list();
      for (const { path } of listed.ok ? uploads : []) {
        const entry = this.#base.get(path);
        const found = listed.ok ? listed.value.files.get(path) : undefined;
        if (found === undefined) {
          this.#failures.push({ path, reason: 'the service does not list it after the upload' });
        } else if (entry !== undefined) {
          const modifiedAt = listedTime(found.modifiedAt, this.#startedAt);
          this.#base.set(path, { ...entry, modifiedAt });
        }
      }
    }
    await this.#save();
  }

  async #save(): Promise<boolean> {
    const written = await this.#options.baseFile.write(this.#base);
    if (!written.ok) this.#unsaved = written.sentence;
    return written.ok;
  }

  /** Plans again for some paths, with the list and the contents of this moment. */
  async #decideAgain(
    paths: readonly string[],
    local: ReadonlyMap<string, SyncedContent>,
  ): Promise<SyncPlan | undefined> {
    const { remote, deletes, hasTimes } = this.#options;
    const base = new Map(
      paths.flatMap((path) => {
        const entry = this.#base.get(path);
        return entry === undefined ? [] : [[path, entry] as const];
      }),
    );
    const input = { local, hidden: new Set<string>(), base, deletes, hasTimes };
    const prepared = await prepareSync(remote, input);
    if (!prepared.ok) {
      this.#stoppedBy = prepared.error;
      return undefined;
    }
    const { plan } = prepared.value;
    this.#conflicts.push(...plan.conflicts);
    for (const path of paths) {
      const entry = plan.base.get(path);
      if (entry === undefined) this.#base.delete(path);
      else this.#base.set(path, entry);
    }
    return plan;
  }

  async #uploadBatch(batch: ReadonlyMap<string, ReadyFile>): Promise<void> {
    const local = new Map(Array.from(batch, ([path, { content }]) => [path, content]));
    const plan = await this.#decideAgain([...batch.keys()], local);
    if (plan === undefined) return;
    const files = [
      ...plan.creates.map(({ path }) => ({ action: 'create' as const, path })),
      ...plan.updates.map(({ path }) => ({ action: 'update' as const, path })),
    ].flatMap((file) => {
      const ready = batch.get(file.path);
      return ready === undefined ? [] : [{ ...file, ready }];
    });
    if (files.length === 0) return;
    for (const { path, ready } of files) {
      const entry = this.#base.get(path);
      this.#base.set(path, { isPut: false, ...entry, sent: ready.content });
    }
    // On disk before it is sent: after a crash the file on the service is still known to be ours.
    if (!(await this.#save())) return;
    const { remote } = this.#options;
    for (const group of groupByRequest(files, ({ path }) => remote.placeOf(path))) {
      if (!this.#isStopped) await this.#send(group);
    }
    this.#options.onProgress?.(this.#written.length);
  }

  async #send(files: readonly (SyncWrite & { readonly ready: ReadyFile })[]): Promise<void> {
    const { remote, onBytes } = this.#options;
    const sent = await remote.upload(
      files.map(({ path, ready: { source } }) => ({ path, source })),
      (bytes) => onBytes?.(this.#bytesBefore + bytes),
    );
    this.#bytesBefore += files.reduce((sum, { ready }) => sum + ready.content.size, 0);
    if (sent.ok) {
      for (const { action, path, ready } of files) {
        await this.#confirm(path, ready);
        this.#written.push({ action, path });
      }
      return;
    }
    const { error } = sent;
    if (error.code === 'local') this.#postponed.push(...files.map(({ path }) => path));
    else if (error.unknownOutcome || !isRefusal(error)) this.#stoppedBy = error;
    else if (files.length > 1) {
      // One file that the service refuses must not keep the others away.
      for (const { path, ready } of files) {
        if (!this.#isStopped) await this.#uploadBatch(new Map([[path, ready]]));
      }
    } else for (const { path } of files) this.#failures.push({ path, reason: reasonOf(error) });
  }

  async #confirm(path: string, { content, source, version }: ReadyFile): Promise<void> {
    const { contents, remote } = this.#options;
    let there: SyncedContent | undefined = content;
    if ('file' in source && !(await contents.isUnchanged(path, version))) {
      // The file may have changed between its hash and its upload.
      const read = await remote.contents([path], new Map([[path, content.size]]));
      there = read.ok ? read.value.get(path) : undefined;
    }
    if (there !== undefined) this.#base.set(path, { content: there, isPut: true });
  }

  async #deleteOne(path: string): Promise<void> {
    const { contents, remote } = this.#options;
    if (this.#isStopped) return;
    // Editors that save by renaming leave a moment without the file.
    if (await contents.isFile(path)) return void this.#postponed.push(path);
    const deleted = await remote.delete(path);
    if (deleted.ok || deleted.error.code === 'not-found') {
      this.#base.delete(path);
      if (deleted.ok) this.#written.push({ action: 'delete', path });
    } else if (isRefusal(deleted.error) && !deleted.error.unknownOutcome) {
      this.#failures.push({ path, reason: reasonOf(deleted.error) });
    } else this.#stoppedBy = deleted.error;
  }
}

/** Codes of answers that concern the file sent, not the service. */
const refusals = new Set<ServiceError['code']>(['conflict', 'too-large', 'invalid', 'bad-request']);

/** Status of a full disk (RFC 4918). */
const insufficientStorage = 507;

function isRefusal({ code, status }: ServiceError): boolean {
  return refusals.has(code) || status === insufficientStorage;
}

function reasonOf({ sentence, errorMessage }: ServiceError): string {
  return errorMessage === undefined ? sentence : `${sentence} ${errorMessage}`;
}

/** Milliseconds by which a listed time may precede the write: clocks are told in whole seconds. */
const tolerance = 5000;

/**
 * Returns the time that a list tells after a write, if it follows the writes: some services list the
 * time of their start.
 * @param startedAt start of the write by the clock of the service, ms since the epoch.
 */
function listedTime(listed: string | undefined, startedAt: number): string | undefined {
  return Date.parse(listed ?? '') >= startedAt - tolerance ? listed : undefined;
}
