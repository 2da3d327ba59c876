import { isExactFilename } from '../contract/exact-filename.ts';
import {
  isRequestablePath,
  type OperationName,
  uploadField,
  type PathForm,
} from '../contract/routes.ts';
import { createRefusalError, createShapeError } from './http/answer-errors.ts';
import {
  type DecodedAnswer,
  requestIfChanged,
  requestDone,
  decodeAnswerText,
} from './http/request.ts';
import type { FileRecord } from '../contract/files.ts';
import {
  chooseSampleFiles,
  classifyContent,
  type ContentClassification,
  type ContentEvidence,
  decodeContent,
  decodeText,
  type FileBody,
  isOctetStream,
  isTextEncoding,
  noContentEvidence,
  updateContentEvidence,
} from './file-content.ts';
import type { DecodedRecord } from './decode/fields.ts';
import { DecodedItems } from './decode/decoded-items.ts';
import { decodeLongList } from './decode/envelope.ts';
import { decodeFile } from './decode/files.ts';
import {
  createLocalError,
  createServiceError,
  createUnaddressableError,
  type Result,
} from './http/errors.ts';
import { type HttpAnswer, type RequestCall, type Http, loadedPart } from './http/http.ts';
import type { SavedFile } from './download.ts';
import type { UploadPart } from './upload.ts';
import { earlyPart, lazyPart } from '../system/lazy-part.ts';

const download = lazyPart(() => import('./download.ts'));
/** Early, because a save of some files uploads them. */
const uploadPart = earlyPart(() => import('./upload.ts'));

export interface FilesClient {
  list(
    id: string,
    service: string,
    signal?: AbortSignal,
  ): Promise<Result<readonly DecodedRecord<FileRecord>[]>>;
  get(id: string, service: string, path: string, signal?: AbortSignal): Promise<Result<FileBody>>;
  /**
   * Streams a file of any size to `toFile`, whose folder must exist. Replaces `toFile` atomically: a
   * failure leaves it unchanged. `onProgress` receives the bytes so far and the announced total.
   */
  save(
    id: string,
    service: string,
    path: string,
    toFile: string,
    options?: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (received: number, total: number | undefined) => void;
    },
  ): Promise<Result<SavedFile>>;
  update(id: string, service: string, path: string, content: string): Promise<Result<void>>;
  rename(id: string, service: string, oldPath: string, newPath: string): Promise<Result<void>>;
  delete(id: string, service: string, path: string): Promise<Result<void>>;
  /**
   * Writes files in one request, all or none. A path that isn't an exact filename (`isExactFilename`) is
   * written with "update file" and must be the only one; `groupByRequest` separates such paths.
   */
  upload(
    id: string,
    service: string,
    parts: readonly UploadPart[],
    options?: {
      readonly signal?: AbortSignal;
      /** Receives the bytes of file contents sent so far, counted over the parts in their order. */
      readonly onProgress?: (sentBytes: number) => void;
    },
  ): Promise<Result<void>>;
}

/** Route parameters of a file; `name` is the service's name. */
interface FileAddress {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

type FileList = readonly DecodedRecord<FileRecord>[];

/** The service whose files were listed last, and their items. */
interface LastItems {
  readonly key: string;
  readonly items: DecodedItems<DecodedRecord<FileRecord>>;
}

const serviceKey = (id: string, name: string) => JSON.stringify([id, name]);

function valueOf<T>(result: Result<T>): T | undefined {
  return result.ok ? result.value : undefined;
}

/**
 * Creates the file operations. The modules that read and write local files load on first use,
 * because they load Node's cryptography.
 */
export function createFilesClient(http: Http): FilesClient {
  const forms = createPathFormMemory();
  /** The last list answer, of any service: an unchanged one is not decoded again. */
  let last: (DecodedAnswer<FileList> & LastItems) | undefined;
  let habit: ContentEvidence = noContentEvidence;

  const list: FilesClient['list'] = async (id, name, signal) => {
    const call: RequestCall = { operation: 'listFiles', parameters: { id, name }, signal };
    const key = serviceKey(id, name);
    const previous = last?.key === key ? last : undefined;
    const items = previous?.items ?? new DecodedItems<DecodedRecord<FileRecord>>();
    const result = await requestIfChanged(http, call, previous, (json) =>
      decodeLongList(json, 'files', decodeFile, items, http.workTurn),
    );
    if (!result.ok) return result;
    last = { ...result.value, key, items };
    return { ok: true, value: result.value.value };
  };

  /** Returns sample files of a service, and lists its files first when there is no list yet. */
  const samples = async ({ id, name }: FileAddress, signal?: AbortSignal) => {
    const isListed = last?.key === serviceKey(id, name);
    const files = isListed ? last?.value : await list(id, name, signal).then(valueOf);
    return files && chooseSampleFiles(files.map(({ value }) => value));
  };

  const fetch = async (address: FileAddress, signal?: AbortSignal): Promise<Result<HttpAnswer>> => {
    const answer = await forms.read(address.path, (form) =>
      http.send({ operation: 'getFile', parameters: { ...address }, form, signal }),
    );
    if (answer.ok) habit = updateContentEvidence(address.path, answer.value.bytes, habit);
    return answer;
  };

  /** Reads one file that is not JSON, to learn the form of this service's answers. */
  const probeContent = async (address: FileAddress, signal?: AbortSignal): Promise<void> => {
    const path = (await samples(address, signal))?.nonJson;
    if (path !== undefined && path !== address.path) await fetch({ ...address, path }, signal);
  };

  /** Reads one file in a folder, to learn which form of a path works. */
  const probePath = async (address: FileAddress): Promise<void> => {
    const path = (await samples(address))?.nested;
    if (path !== undefined) await fetch({ ...address, path });
  };

  /** Returns the file in an answer; an undecided answer is decided by reading another file. */
  const resolveBody = async (
    address: FileAddress,
    answer: HttpAnswer,
    signal?: AbortSignal,
  ): Promise<Result<FileBody>> => {
    let reading = classifyContent(address.path, answer.bytes, habit);
    if (reading.kind === 'undecided') {
      await probeContent(address, signal);
      reading = classifyContent(address.path, answer.bytes, habit, true);
    }
    return bodyOf(http, address.path, answer, reading);
  };

  /** Requests the file as raw bytes; undefined when the service does not support that. */
  const fetchRaw = async (address: FileAddress, signal?: AbortSignal) => {
    const answer = await forms.read(address.path, (form) =>
      http.send({
        operation: 'getFile',
        parameters: { ...address },
        form,
        acceptsBytes: true,
        signal,
      }),
    );
    if (!answer.ok || !isOctetStream(answer.value.contentType)) return undefined;
    return bodyOf(http, address.path, answer.value, { kind: 'raw' });
  };

  const write = (
    operation: OperationName,
    address: FileAddress,
    json?: unknown,
    signal?: AbortSignal,
  ): Promise<Result<void>> =>
    forms.write(
      address.path,
      () => probePath(address),
      (form) => requestDone(http, { operation, parameters: { ...address }, form, json, signal }),
    );

  /** Writes a part whose path isn't an exact filename. */
  const uploadByUpdate = async (
    address: FileAddress,
    part: UploadPart,
    signal?: AbortSignal,
  ): Promise<Result<void> & { readonly sentBytes?: number }> => {
    const target = http.targetOf('uploadFiles');
    const loaded = await loadedPart(http, 'uploadFiles', uploadPart);
    if (!loaded.ok) return loaded;
    const read = await loaded.value.readPartText(part);
    if (!read.ok) {
      const { code, reason } = read;
      const sentence =
        code === 'local'
          ? `Can't read ${part.path}: ${reason}.`
          : `Can't upload ${part.path}: ${reason}.`;
      return http.fail(createServiceError(target, code, sentence, 'Nothing was sent.'));
    }
    const sent = await write('updateFile', address, { content: read.text }, signal);
    if (sent.ok) return { ...sent, sentBytes: Buffer.byteLength(read.text) };
    const { error } = sent;
    if (error.status !== 404) return sent;
    const sentence = `Can't upload ${part.path}: its name needs PUT, which ${target.host} refuses for new files (404).`;
    return { ok: false, error: { ...error, code: 'invalid', sentence, next: 'Rename the file.' } };
  };

  return {
    list,

    async get(id, name, path, signal) {
      const address = { id, name, path };
      const answer = await fetch(address, signal);
      if (!answer.ok) return answer;
      const body = await resolveBody(address, answer.value, signal);
      const isCertain = !body.ok || body.value.certainty === 'certain';
      return isCertain ? body : ((await fetchRaw(address, signal)) ?? body);
    },

    async save(id, name, path, file, { signal, onProgress } = {}) {
      const part = await loadedPart(http, 'getFile', download);
      if (!part.ok) return part;
      const { LocalWriteError, writeDownload } = part.value;
      const address = { id, name, path };
      const call: RequestCall = {
        operation: 'getFile',
        parameters: { ...address },
        acceptsBytes: true,
        signal,
      };
      const { maxAnswer: maxEnvelope } = http.limits;
      return forms.read(path, (form) =>
        http.receive({ ...call, form }, async (answer) => {
          try {
            return await writeDownload(answer, {
              file,
              maxEnvelopeSize: maxEnvelope,
              signal,
              onProgress,
              resolveBody: (bytes) => resolveBody(address, { ...answer, bytes }, signal),
            });
          } catch (error) {
            if (!(error instanceof LocalWriteError)) throw error;
            const target = http.targetOf('getFile');
            const sentence = `Can't write ${file}: ${error.message}.`;
            return http.fail(createLocalError(target, sentence, 'Choose another location.'));
          }
        }),
      );
    },

    update: (id, name, path, content) => write('updateFile', { id, name, path }, { content }),

    delete: (id, name, path) => write('deleteFile', { id, name, path }),

    async rename(id, name, oldPath, newPath) {
      if (!isRequestablePath(oldPath) || !isRequestablePath(newPath)) {
        return http.fail(createUnaddressableError(http.targetOf('renameFile')));
      }
      const parameters = { id, name };
      return requestDone(http, { operation: 'renameFile', parameters, json: { oldPath, newPath } });
    },

    async upload(id, name, parts, { signal, onProgress } = {}) {
      const target = http.targetOf('uploadFiles');
      if (!parts.every(({ path }) => isRequestablePath(path))) {
        return http.fail(createUnaddressableError(target));
      }
      const inexact = parts.find(({ path }) => !isExactFilename(path));
      if (inexact !== undefined) {
        const { path } = inexact;
        if (parts.length > 1) {
          const sentence = `Can't upload ${path} in one request with other files.`;
          return http.fail(createLocalError(target, sentence, 'Nothing was sent.'));
        }
        const sent = await uploadByUpdate({ id, name, path }, inexact, signal);
        if (sent.ok) onProgress?.(sent.sentBytes ?? 0);
        return sent;
      }
      const part = await loadedPart(http, 'uploadFiles', uploadPart);
      if (!part.ok) return part;
      const opened = await part.value.openUpload(uploadField, parts);
      if (!opened.ok) {
        const sentence = `Can't read ${opened.path}: ${opened.reason}.`;
        return http.fail(createLocalError(target, sentence, 'Nothing was sent.'));
      }
      const upload = opened.value;
      const onSent = onProgress && ((bytes: number) => onProgress(upload.contentBytesIn(bytes)));
      return requestDone(http, {
        operation: 'uploadFiles',
        parameters: { id, name },
        upload,
        signal,
        onSent,
      });
    },
  };
}

function bodyOf(
  http: Http,
  path: string,
  answer: HttpAnswer,
  reading: ContentClassification,
): Result<FileBody> {
  const target = http.targetOf('getFile');
  const { status, bytes, lastModified } = answer;
  if (reading.kind === 'refusal')
    return http.fail(createRefusalError(target, status, reading.refusal));
  if (reading.kind !== 'envelope') {
    const certainty = reading.kind === 'raw' ? 'certain' : 'ambiguous';
    return fileBody({ path, bytes, certainty, modifiedAt: isoDate(lastModified) });
  }
  const { content, encoding, modifiedAt } = reading.envelope;
  const decodedBytes = decodeContent(content, encoding);
  if (decodedBytes === undefined) {
    const problem = `does not match its encoding (${encoding})`;
    const mismatch = { ok: false, field: 'content', problem } as const;
    return http.fail(createShapeError(target, status, decodeAnswerText(answer), mismatch));
  }
  const isDamaged = isTextEncoding(encoding) && content.includes(replacementCharacter);
  const certainty = isDamaged ? 'ambiguous' : 'certain';
  return fileBody({ path, bytes: decodedBytes, certainty, modifiedAt });
}

/** The character that replaces bytes that are not UTF-8. */
const replacementCharacter = '\u{fffd}';

function fileBody(body: Omit<FileBody, 'text'>): Result<FileBody> {
  return { ok: true, value: { ...body, text: decodeText(body.bytes) } };
}

/** Returns an HTTP date as ISO 8601; undefined for an invalid one. */
function isoDate(date: string | undefined): string | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/**
 * Chooses between the two forms of `:path` and remembers the working one for the connection. A path
 * without a slash is the same in both forms.
 */
interface PathFormMemory {
  /**
   * Reads with the known form. While none is known, a 404 is retried in the other form, which is
   * safe because a GET changes nothing.
   */
  read<T>(path: string, send: Send<T>): Promise<Result<T>>;
  /**
   * Writes with the known form. While none is known, `probe` tries to learn it by reading a file. If
   * that fails too, a 404 (nothing was changed) permits one attempt in the other form.
   */
  write<T>(path: string, probe: () => Promise<unknown>, send: Send<T>): Promise<Result<T>>;
}

type Send<T> = (form: PathForm) => Promise<Result<T>>;

/** Creates the path form memory of one connection. */
export function createPathFormMemory(): PathFormMemory {
  let knownForm: PathForm | undefined;

  const tryBoth = async <T>(send: Send<T>): Promise<Result<T>> => {
    const first = await send('segments');
    if (first.ok) knownForm ??= 'segments';
    if (first.ok || first.error.status !== 404) return first;
    const second = await send('whole');
    if (second.ok) knownForm ??= 'whole';
    // Some gateways reject %2F with 400; the service's own answer is then the first one.
    const isMiss = !second.ok && (second.error.status === 404 || second.error.status === 400);
    return isMiss ? first : second;
  };

  const sendKnown = <T>(path: string, send: Send<T>): Promise<Result<T>> | undefined => {
    if (!path.includes('/') || !isRequestablePath(path)) return send('segments');
    return knownForm === undefined ? undefined : send(knownForm);
  };

  return {
    read: (path, send) => sendKnown(path, send) ?? tryBoth(send),
    async write(path, probe, send) {
      const sent = sendKnown(path, send);
      if (sent !== undefined) return sent;
      await probe();
      return sendKnown(path, send) ?? tryBoth(send);
    },
  };
}
