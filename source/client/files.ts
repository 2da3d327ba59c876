import { isRequestablePath, type OperationName, uploadField } from '../contract/routes.ts';
import { refusedError, shapeError } from './http/answer-errors.ts';
import { type RequestResult, askAgain, requestDone, answerText } from './http/request.ts';
import type { FileRecord } from '../contract/files.ts';
import type { FileBody, FilesClient, Read } from './client.ts';
import { decodeLongList } from './decode/envelope.ts';
import { decodeFile } from './decode/files.ts';
import { localError, type Result, unreachableError } from './http/errors.ts';
import {
  type ContentHabit,
  type ContentReading,
  contentBytes,
  decodeText,
  isTextEncoding,
  learnContent,
  noHabit,
  readContent,
  isBytes,
} from './file-content.ts';
import type { HttpAnswer, Call, Http } from './http/http.ts';
import { createPathForms } from './path-form.ts';
import { samplesOf } from './decode/samples.ts';

/** Where a file is: the parameters of its routes. */
interface Place {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

type Listed = readonly Read<FileRecord>[];

const keyOf = (id: string, name: string) => JSON.stringify([id, name]);

function valueOf<T>(result: Result<T>): T | undefined {
  return result.ok ? result.value : undefined;
}

/** Whatever reads and writes local files is loaded when it is needed: it loads Node's cryptography. */
export function createFilesClient(http: Http): FilesClient {
  const forms = createPathForms();
  /** The last listing, of whichever service. Most are the same again, and are not read then. */
  let last: (RequestResult<Listed> & { readonly key: string }) | undefined;
  let habit: ContentHabit = noHabit;

  const list: FilesClient['list'] = async (id, name, signal) => {
    const call: Call = { operation: 'listFiles', parameters: { id, name }, signal };
    const key = keyOf(id, name);
    const before = last?.key === key ? last : undefined;
    const asked = await askAgain(http, call, before, (json) =>
      decodeLongList(json, 'files', decodeFile),
    );
    if (!asked.ok) return asked;
    last = { ...asked.value, key };
    return { ok: true, value: asked.value.value };
  };

  /** Samples of a service; its files are listed for them where that has not happened yet. */
  const samples = async ({ id, name }: Place, signal?: AbortSignal) => {
    const isListed = last?.key === keyOf(id, name);
    const listed = isListed ? last?.value : await list(id, name, signal).then(valueOf);
    return listed && samplesOf(listed.map(({ value }) => value));
  };

  const fetch = async (place: Place, signal?: AbortSignal): Promise<Result<HttpAnswer>> => {
    const answer = await forms.read(place.path, (form) =>
      http.send({ operation: 'getFile', parameters: { ...place }, form, signal }),
    );
    if (answer.ok) habit = learnContent(place.path, answer.value.bytes, habit);
    return answer;
  };

  /** Reads one file that is no JSON, to see how this service answers. */
  const probeContent = async (place: Place, signal?: AbortSignal): Promise<void> => {
    const path = (await samples(place, signal))?.noJson;
    if (path !== undefined && path !== place.path) await fetch({ ...place, path }, signal);
  };

  /** Reads one file in a folder, to see which form of its path works. */
  const probePath = async (place: Place): Promise<void> => {
    const path = (await samples(place))?.nested;
    if (path !== undefined) await fetch({ ...place, path });
  };

  /** The file in an answer, after a look at another file where that has to decide what it is. */
  const settle = async (
    place: Place,
    answer: HttpAnswer,
    signal?: AbortSignal,
  ): Promise<Result<FileBody>> => {
    let reading = readContent(place.path, answer.bytes, habit);
    if (reading.kind === 'undecided') {
      await probeContent(place, signal);
      reading = readContent(place.path, answer.bytes, habit, true);
    }
    return bodyOf(http, place.path, answer, reading);
  };

  /** The file, where the service can be asked to answer it as it is. */
  const asBytes = async (place: Place, signal?: AbortSignal) => {
    const answer = await forms.read(place.path, (form) =>
      http.send({ operation: 'getFile', parameters: { ...place }, form, bytes: true, signal }),
    );
    if (!answer.ok || !isBytes(answer.value.contentType)) return undefined;
    return bodyOf(http, place.path, answer.value, { kind: 'raw' });
  };

  const write = (operation: OperationName, place: Place, json?: unknown): Promise<Result<void>> =>
    forms.write(
      place.path,
      () => probePath(place),
      (form) => requestDone(http, { operation, parameters: { ...place }, form, json }),
    );

  return {
    list,

    async get(id, name, path, signal) {
      const place = { id, name, path };
      const answer = await fetch(place, signal);
      if (!answer.ok) return answer;
      const body = await settle(place, answer.value, signal);
      const isSure = !body.ok || body.value.reading === 'certain';
      return isSure ? body : ((await asBytes(place, signal)) ?? body);
    },

    async save(id, name, path, file, { signal, onProgress } = {}) {
      const { UnwritableFile, writeDownload } = await import('./download.ts');
      const place = { id, name, path };
      const call: Call = { operation: 'getFile', parameters: { ...place }, bytes: true, signal };
      const { maxAnswer: maxEnvelope } = http.limits;
      return forms.read(path, (form) =>
        http.receive({ ...call, form }, async (coming) => {
          try {
            return await writeDownload(coming, {
              file,
              maxEnvelope,
              signal,
              onProgress,
              settle: (bytes) => settle(place, { ...coming, bytes }, signal),
            });
          } catch (error) {
            if (!(error instanceof UnwritableFile)) throw error;
            const sentence = `Cannot write ${file}: ${error.message}.`;
            return http.fail(localError(http.asked('getFile'), sentence, 'Choose another place.'));
          }
        }),
      );
    },

    update: (id, name, path, content) => write('updateFile', { id, name, path }, { content }),

    delete: (id, name, path) => write('deleteFile', { id, name, path }),

    async rename(id, name, oldPath, newPath) {
      if (!isRequestablePath(oldPath) || !isRequestablePath(newPath)) {
        return http.fail(unreachableError(http.asked('renameFile')));
      }
      const parameters = { id, name };
      return requestDone(http, { operation: 'renameFile', parameters, json: { oldPath, newPath } });
    },

    async upload(id, name, parts, { signal, onProgress } = {}) {
      const what = http.asked('uploadFiles');
      if (!parts.every(({ path }) => isRequestablePath(path))) {
        return http.fail(unreachableError(what));
      }
      const { openUpload } = await import('./upload.ts');
      const opened = await openUpload(uploadField, parts);
      if (!opened.ok) {
        const sentence = `Cannot read ${opened.path}: ${opened.reason}.`;
        return http.fail(localError(what, sentence, 'Nothing was sent.'));
      }
      const upload = opened.value;
      const onSent = onProgress && ((bytes: number) => onProgress(upload.contentsIn(bytes)));
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
  reading: ContentReading,
): Result<FileBody> {
  const what = http.asked('getFile');
  const { status, bytes, lastModified } = answer;
  if (reading.kind === 'refusal') return http.fail(refusedError(what, status, reading.refusal));
  if (reading.kind !== 'envelope') {
    const certainty = reading.kind === 'raw' ? 'certain' : 'ambiguous';
    return fileBody({ path, bytes, reading: certainty, modifiedAt: isoDate(lastModified) });
  }
  const { content, encoding, modifiedAt } = reading.envelope;
  const inside = contentBytes(content, encoding);
  if (inside === undefined) {
    const problem = `is not what its encoding (${encoding}) says`;
    const wrong = { ok: false, field: 'content', problem } as const;
    return http.fail(shapeError(what, status, answerText(answer), wrong));
  }
  const reads = isTextEncoding(encoding) && content.includes(replaced) ? 'ambiguous' : 'certain';
  return fileBody({ path, bytes: inside, reading: reads, modifiedAt });
}

/** What stands for bytes that are no UTF-8 where a service put them into a text nevertheless. */
const replaced = '\u{fffd}';

function fileBody(body: Omit<FileBody, 'text'>): Result<FileBody> {
  return { ok: true, value: { ...body, text: decodeText(body.bytes) } };
}

/** An HTTP date as ISO 8601; undefined for what is none. */
function isoDate(date: string | undefined): string | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
