/** A sync between two ends: plans it, and sends a plan with a check of each file before its write. */
import path from 'node:path';
import type { Client } from '../../client/client.ts';
import {
  createLocalError,
  createRequestTarget,
  type Result,
  type ServiceError,
} from '../../client/http/errors.ts';
import { findPartRefusal } from '../../client/upload.ts';
import { groupByRequest } from '../../contract/exact-filename.ts';
import type {
  BaseFile,
  SyncBase,
  SyncBaseFile,
  SyncedContent,
  SyncEnds,
} from '../../disk/sync-bases.ts';
import { LocalFolder, type FolderState, type ReadyFile } from './local-folder.ts';
import {
  itemsOf,
  planSync,
  type SyncInput,
  type SyncItem,
  type SyncPlan,
  unreadFiles,
} from './plan-sync.ts';
import { ServiceFolder } from './service-folder.ts';

/** The result of sending a plan. */
export interface SentSync {
  /** Files that were written on the service, in their order. */
  readonly written: SyncItem[];
  /** Files that someone changed after the plan was made, that the service refused, or that changed. */
  readonly left: SyncItem[];
  /** Error that ended the sync before its end. */
  stoppedBy: ServiceError | undefined;
}

/** Most files and bytes of one upload. A larger file is sent alone. */
const batchFiles = 200;
const batchBytes = 32 * 1024 * 1024;

/** Deletions between two lists. */
const batchDeletions = 20;

/** A file that is about to be sent. */
interface Sending {
  readonly item: SyncItem;
  readonly ready: ReadyFile;
}

/** Plans and sends as often as wanted; keeps on disk what it left on the service. */
export class SyncSession {
  readonly ends: SyncEnds;
  readonly local: LocalFolder;
  readonly #remote: ServiceFolder;
  readonly #baseFile: SyncBaseFile;
  readonly #deletes: boolean;
  readonly #signal: AbortSignal;
  #base: Map<string, BaseFile>;
  #sent = nothingSent();
  #onBytes: (sent: number) => void = () => undefined;
  #bytesSent = 0;

  /** @param signal ends a sync after the request in flight. */
  constructor(
    files: Client['files'],
    baseFile: SyncBaseFile,
    base: SyncBase,
    deletes: boolean,
    signal: AbortSignal,
  ) {
    this.ends = baseFile.ends;
    this.local = new LocalFolder(baseFile.ends.folder);
    this.#remote = new ServiceFolder(files, baseFile.ends, signal);
    this.#baseFile = baseFile;
    this.#base = new Map(base);
    this.#deletes = deletes;
    this.#signal = signal;
  }

  /** Resolves with the plan of a sync of the folder as it was read. */
  async plan({ files, hidden }: FolderState): Promise<Result<SyncPlan>> {
    const looked = await this.#look(files, hidden, this.#base);
    if (!looked.ok) return looked;
    const items: SyncItem[] = [];
    for (const item of looked.value.items) {
      const isUpload = item.action === 'create' || item.action === 'update';
      items.push(isUpload ? await this.#sendable(item) : item);
    }
    return { ok: true, value: { ...looked.value, items } };
  }

  /**
   * Sends all of a plan that is still right. Deletions come first, because they may make room for uploads.
   * @param onBytes receives the bytes of file contents sent so far.
   */
  async send({ items, base }: SyncPlan, onBytes: (sent: number) => void): Promise<SentSync> {
    this.#base = new Map(base);
    this.#sent = nothingSent();
    this.#onBytes = onBytes;
    this.#bytesSent = 0;
    await this.#delete(itemsOf(items, 'delete').map((item) => item.path));
    await this.#upload(itemsOf(items, 'create', 'update').map((item) => item.path));
    await this.#noteTimes();
    await this.#save();
    return this.#sent;
  }

  get #isStopped(): boolean {
    return this.#signal.aborted || this.#sent.stoppedBy !== undefined;
  }

  /** Plans with the list, and the contents that decide, of this moment. */
  async #look(
    local: SyncInput['local'],
    hidden: ReadonlySet<string>,
    base: SyncBase,
  ): Promise<Result<SyncPlan>> {
    const listed = await this.#remote.list();
    if (!listed.ok) return listed;
    const input = { local, hidden, base, remote: listed.value, deletes: this.#deletes };
    const read = await this.#remote.read(listed.value, unreadFiles(input));
    return read.ok ? { ok: true, value: planSync({ ...input, remote: read.value }) } : read;
  }

  /** Returns an upload, as refused where its content can't be sent under its name. */
  async #sendable(item: SyncItem): Promise<SyncItem> {
    const source = { file: path.join(this.local.root, item.path) };
    const refusal = await findPartRefusal({ path: this.#remote.placeOf(item.path), source });
    // A file that is gone meanwhile is found again when it is sent.
    if (refusal === undefined || refusal.code === 'local') return item;
    return { action: 'refused', path: item.path, reason: refusal.reason };
  }

  /** Plans some paths again right before their write. Resolves with what is still right. */
  async #check(paths: readonly string[], local: SyncInput['local']): Promise<readonly SyncItem[]> {
    const checked = new Set(paths);
    const known = new Map([...this.#base].filter(([each]) => checked.has(each)));
    const looked = await this.#look(local, new Set(), known);
    if (!looked.ok) {
      this.#sent.stoppedBy = looked.error;
      return [];
    }
    const { items, base } = looked.value;
    this.#sent.left.push(...itemsOf(items, 'conflict'));
    for (const each of paths) {
      const entry = base.get(each);
      if (entry === undefined) this.#base.delete(each);
      else this.#base.set(each, entry);
    }
    return items;
  }

  async #upload(paths: readonly string[]): Promise<void> {
    let batch = new Map<string, ReadyFile>();
    let bytes = 0;
    for (const each of paths) {
      if (this.#isStopped) return;
      const ready = await this.local.ready(each).catch(() => undefined);
      if (ready === undefined) {
        this.#leave('unstable', each, 'it changed meanwhile');
        continue;
      }
      const { size } = ready.content;
      if (batch.size >= batchFiles || (batch.size > 0 && bytes + size > batchBytes)) {
        await this.#uploadBatch(batch);
        batch = new Map();
        bytes = 0;
      }
      batch.set(each, ready);
      bytes += size;
    }
    if (batch.size > 0) await this.#uploadBatch(batch);
  }

  async #uploadBatch(batch: ReadonlyMap<string, ReadyFile>): Promise<void> {
    if (this.#isStopped) return;
    const items = await this.#check([...batch.keys()], batch);
    const files = itemsOf(items, 'create', 'update').flatMap((item): Sending[] => {
      const ready = batch.get(item.path);
      return ready === undefined ? [] : [{ item, ready }];
    });
    if (files.length === 0) return;
    for (const { item, ready } of files) {
      const entry = this.#base.get(item.path);
      this.#base.set(item.path, { isPut: false, ...entry, sent: ready.content });
    }
    // On disk before it is sent: after a crash the file on the service is still known to be ours.
    await this.#save();
    for (const group of groupByRequest(files, ({ item }) => this.#remote.placeOf(item.path))) {
      if (!this.#isStopped) await this.#uploadGroup(group);
    }
  }

  async #uploadGroup(files: readonly Sending[]): Promise<void> {
    const parts = files.map(({ item, ready }) => ({ path: item.path, source: ready.source }));
    const before = this.#bytesSent;
    const sent = await this.#remote.upload(parts, (bytes) => this.#onBytes(before + bytes));
    this.#bytesSent += files.reduce((sum, { ready }) => sum + ready.content.size, 0);
    if (sent.ok) {
      for (const file of files) await this.#confirm(file);
    } else if (sent.error.code !== 'local' && !isRefusal(sent.error)) {
      this.#sent.stoppedBy = sent.error;
    } else if (files.length > 1) {
      // One file that can't be sent must not keep the others away.
      for (const { item, ready } of files) await this.#uploadBatch(new Map([[item.path, ready]]));
    } else for (const { item } of files) this.#refuse(item.path, sent.error);
  }

  async #confirm({ item, ready: { content, source, version } }: Sending): Promise<void> {
    this.#sent.written.push(item);
    let there: SyncedContent | undefined = content;
    if ('file' in source && !(await this.local.isUnchanged(item.path, version))) {
      // The file may have changed between its hash and its upload.
      const read = await this.#remote.content(item.path, content.size);
      there = read.ok ? read.value : undefined;
    }
    if (there !== undefined) this.#base.set(item.path, { content: there, isPut: true });
  }

  async #delete(paths: readonly string[]): Promise<void> {
    for (let at = 0; at < paths.length && !this.#isStopped; at += batchDeletions) {
      const items = await this.#check(paths.slice(at, at + batchDeletions), new Map());
      for (const item of itemsOf(items, 'delete')) await this.#deleteOne(item);
    }
  }

  async #deleteOne(item: SyncItem): Promise<void> {
    if (this.#isStopped) return;
    // Editors that save by renaming leave a moment without the file.
    if (await this.local.isFile(item.path)) {
      return this.#leave('unstable', item.path, 'it is in the folder again');
    }
    const deleted = await this.#remote.delete(item.path);
    if (deleted.ok || deleted.error.code === 'not-found') {
      this.#base.delete(item.path);
      if (deleted.ok) this.#sent.written.push(item);
    } else if (isRefusal(deleted.error)) this.#refuse(item.path, deleted.error);
    else this.#sent.stoppedBy = deleted.error;
  }

  #leave(action: 'refused' | 'unstable', below: string, reason: string): void {
    this.#sent.left.push({ action, path: below, reason });
  }

  #refuse(below: string, { code, sentence, errorMessage = '' }: ServiceError): void {
    if (code === 'local') this.#leave('unstable', below, 'it changed meanwhile');
    else this.#leave('refused', below, `${sentence} ${errorMessage}`.trimEnd());
  }

  /** Notes the times that the service lists now, by which a later sync sees changes of others. */
  async #noteTimes(): Promise<void> {
    const uploads = itemsOf(this.#sent.written, 'create', 'update');
    if (uploads.length === 0 || this.#sent.stoppedBy !== undefined) return;
    const listed = await this.#remote.list();
    if (!listed.ok) return;
    for (const item of uploads) {
      const entry = this.#base.get(item.path);
      const found = listed.value.get(item.path);
      if (found === undefined) {
        this.#leave('refused', item.path, 'the service does not list it after the upload');
      } else if (entry !== undefined) {
        this.#base.set(item.path, { ...entry, modifiedAt: found.modifiedAt });
      }
    }
  }

  async #save(): Promise<void> {
    const written = await this.#baseFile.write(this.#base);
    if (!written.ok) this.#sent.stoppedBy = stoppedHere(written.sentence);
  }
}

/** Returns the result of a sync before it has sent anything, or where it must not. */
export function nothingSent(stoppedBy?: ServiceError): SentSync {
  return { written: [], left: [], stoppedBy };
}

/** Returns the error of a sync that ends for a reason on this machine. */
export function stoppedHere(sentence: string): ServiceError {
  return createLocalError(createRequestTarget('uploadFiles', ''), sentence, '');
}

/** Codes of answers that concern the file sent, not the service. */
const refusals = new Set<ServiceError['code']>(['conflict', 'too-large', 'invalid', 'bad-request']);

/** Status of a full disk (RFC 4918). */
const insufficientStorage = 507;

function isRefusal({ code, status, unknownOutcome }: ServiceError): boolean {
  return !unknownOutcome && (refusals.has(code) || status === insufficientStorage);
}
