/** Decides whether an answer to "get file content" is the file or a JSON envelope around it. */
import { isRecord, type JsonRecord } from './decode/fields.ts';
import { type AnswerRefusal, findRefusal } from './decode/envelope.ts';
import type { FileRecord } from '../contract/files.ts';
import { isRequestablePath } from '../contract/routes.ts';

/** The bytes of a file. `text` is set when they are UTF-8 text, and is the exact decoding. */
export interface FileBody {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
  /**
   * `ambiguous` when a JSON answer could be the file or an envelope around it, or when the service
   * replaced bytes that are not UTF-8. The file then opens read-only and the person is asked to
   * confirm.
   */
  readonly certainty: 'certain' | 'ambiguous';
  readonly modifiedAt?: string | undefined;
}

/**
 * Evidence from the files of this connection for the form of "get file content" answers. When both
 * are true, the evidence is contradictory and decides nothing.
 */
export interface ContentEvidence {
  readonly raw: boolean;
  readonly envelope: boolean;
}

export const noContentEvidence: ContentEvidence = { raw: false, envelope: false };

/** A JSON answer that may wrap a file's content. */
interface Envelope {
  readonly content: string;
  readonly encoding: string | undefined;
  readonly modifiedAt: string | undefined;
}

/** The classification of an answer to "get file content". */
export type ContentClassification =
  | { readonly kind: 'raw' }
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'refusal'; readonly refusal: AnswerRefusal }
  /** JSON that could be the file or an envelope; the answer for another file has to decide. */
  | { readonly kind: 'undecided' };

/**
 * Classifies an answer to "get file content". A JSON file must not be
 * mistaken for an envelope: saving only its content would destroy it. The habit that a non-JSON file
 * proved decides first. Without proof, an answer is an envelope only when it names the requested path
 * or has a `file` or `data` wrapper.
 * @param probed true when another file has been requested, so no more evidence can come.
 */
export function classifyContent(
  path: string,
  answer: Uint8Array,
  habit: ContentEvidence,
  probed = false,
): ContentClassification {
  const json = parseJsonObject(answer);
  if (json === undefined) return { kind: 'raw' };
  const provenForm = habit.raw === habit.envelope ? undefined : habit.raw ? 'raw' : 'envelope';
  const refusal = findRefusal(json);
  const match = findEnvelope(json, path);
  if (refusal !== undefined && match === undefined) {
    if (provenForm === 'raw') return { kind: 'raw' };
    if (provenForm === 'envelope' || isNonJsonPath(path)) return { kind: 'refusal', refusal };
    return { kind: 'undecided' };
  }
  if (match === undefined) return { kind: 'raw' };
  const { envelope, namesPath, isWrapped } = match;
  const isNonJson = isNonJsonPath(path);
  // Services that answer text raw may still wrap binary content in an envelope that names the path.
  if (provenForm === 'raw') {
    return namesPath && isNonJson ? { kind: 'envelope', envelope } : { kind: 'raw' };
  }
  const isContradictory = habit.raw && habit.envelope;
  const isLikely = (namesPath || isWrapped) && (probed || isNonJson);
  const isEnvelope = provenForm === 'envelope' || isLikely || (isNonJson && !isContradictory);
  return isEnvelope ? { kind: 'envelope', envelope } : { kind: 'undecided' };
}

/**
 * Returns the habit updated with the evidence in the answer for `path`. Text that is not JSON proves
 * raw answers. JSON for a path that is not a JSON file proves envelopes, unless text came raw before.
 * Binary content proves nothing: services wrap it, or not, independently of text.
 */
export function updateContentEvidence(
  path: string,
  answer: Uint8Array,
  habit: ContentEvidence,
): ContentEvidence {
  const json = parseJsonObject(answer);
  if (json === undefined) {
    return answer.length > 0 && decodeText(answer) !== undefined ? { ...habit, raw: true } : habit;
  }
  const isProof = !habit.raw && isNonJsonPath(path) && findEnvelope(json, path) !== undefined;
  return isProof ? { ...habit, envelope: true } : habit;
}

/** Returns the bytes of an envelope's content; undefined when it does not match `encoding`. */
export function decodeContent(
  content: string,
  encoding: string | undefined,
): Uint8Array | undefined {
  if (isTextEncoding(encoding)) return Buffer.from(content, 'utf8');
  const isBase64 = normaliseEncoding(encoding) === 'base64' && base64Pattern.test(content);
  return isBase64 ? Buffer.from(content, 'base64') : undefined;
}

/** Returns true when the content of an envelope with this encoding is the text itself. */
export function isTextEncoding(encoding: string | undefined): boolean {
  return textEncodings.has(normaliseEncoding(encoding));
}

const textEncodings = new Set(['', 'utf8', 'text', 'plain']);

function normaliseEncoding(encoding = ''): string {
  return encoding.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Base64 of RFC 4648 and MIME: line breaks are allowed, padding is optional. */
const base64Pattern = /^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/;

/**
 * Returns the exact text of UTF-8 bytes, including a byte order mark; undefined for other bytes and
 * for text with a NUL, which no text editor writes.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns true for file names that cannot hold JSON, so that a JSON answer is not the file itself. */
export function isNonJsonPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  return noJsonNames.has(name) || (dot >= 0 && noJsonEndings.has(name.slice(dot + 1)));
}

const noJsonNames = new Set('dockerfile makefile procfile license readme .gitignore'.split(' '));

const noJsonEndings = new Set(
  [
    'yaml yml toml ini conf cfg properties env xml html htm svg md rst txt csv tsv log pem crt',
    'sh py rb pl php js mjs cjs ts mts jsx tsx css scss sql go rs c h cpp java kt lua',
    'png jpg jpeg gif webp ico woff woff2 ttf pdf zip gz tgz wasm',
  ].flatMap((line) => line.split(' ')),
);

/** First byte of an envelope after whitespace. */
export const openBrace = 0x7b;

/** Returns true for JSON whitespace (RFC 8259, 2). */
export function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Returns the answer as a JSON object; undefined when it is anything else. */
function parseJsonObject(answer: Uint8Array): JsonRecord | undefined {
  const first = answer.find((byte) => !isWhitespace(byte));
  if (first !== openBrace) return undefined;
  const text = decodeText(answer);
  if (text === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

interface EnvelopeMatch {
  readonly envelope: Envelope;
  /** True when the envelope names the requested path. */
  readonly namesPath: boolean;
  /** True when the envelope is nested below `file`, `data` or `result`. */
  readonly isWrapped: boolean;
}

/** Deepest nesting of an envelope: `{data: {file: {content}}}`. */
const maxDepth = 2;

function findEnvelope(json: JsonRecord, path: string, depth = 0): EnvelopeMatch | undefined {
  const { content } = json;
  if (typeof content === 'string') {
    const namesPath = ['path', 'filePath', 'file_path', 'name'].some((key) => json[key] === path);
    const { encoding } = json;
    const modifiedAt = json['modifiedAt'] ?? json['modified_at'];
    return {
      envelope: {
        content,
        encoding: typeof encoding === 'string' ? encoding : undefined,
        modifiedAt: typeof modifiedAt === 'string' ? modifiedAt : undefined,
      },
      namesPath,
      isWrapped: depth > 0,
    };
  }
  if (depth === maxDepth) return undefined;
  for (const key of ['file', 'data', 'result']) {
    const nested = json[key];
    const match = isRecord(nested) ? findEnvelope(nested, path, depth + 1) : undefined;
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Returns true for the content type of an answer that is the file itself. */
export function isOctetStream(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream';
}

/** Files of one service that are suitable to learn the form of its answers. */
interface SampleFiles {
  /** Path of a file in a folder. */
  readonly nested: string | undefined;
  /** Path of a file whose name rules out JSON. */
  readonly nonJson: string | undefined;
}

/** Bytes of the largest sample. */
const maxSampleSize = 2 ** 20;

/** Returns the smallest suitable files of a list; files of unknown size come last. */
export function chooseSampleFiles(files: readonly FileRecord[]): SampleFiles {
  const usable = files
    .filter(({ path, size = 0, directory }) => {
      return directory !== true && size <= maxSampleSize && isRequestablePath(path);
    })
    .sort((a, b) => (a.size ?? maxSampleSize) - (b.size ?? maxSampleSize));
  return {
    nested: usable.find(({ path }) => path.includes('/'))?.path,
    // An empty file is the same raw and in an envelope.
    nonJson: usable.find(({ path, size }) => size !== 0 && isNonJsonPath(path))?.path,
  };
}
