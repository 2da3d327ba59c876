import { isRecord, type JsonRecord } from './decode/fields.ts';
import { type AnswerRefusal, refusalIn } from './decode/envelope.ts';

/**
 * How "get file content" answers, as far as files of this connection have shown. Both at once is a
 * contradiction, so that neither decides anything.
 */
export interface ContentHabit {
  readonly raw: boolean;
  readonly envelope: boolean;
}

export const noHabit: ContentHabit = { raw: false, envelope: false };

/** A JSON answer that may stand around a file's content. */
interface Envelope {
  readonly content: string;
  readonly encoding: string | undefined;
  readonly modifiedAt: string | undefined;
}

/** What an answer to "get file content" is. */
export type ContentReading =
  | { readonly kind: 'raw' }
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'refusal'; readonly refusal: AnswerRefusal }
  /** JSON that could be either the file or an envelope: another file has to decide. */
  | { readonly kind: 'undecided' };

/**
 * Reads an answer to "get file content" (open points, "File content"). A file that itself is JSON
 * must not be mistaken for an envelope: saving what was inside would destroy it. So an answer is an
 * envelope when a file that is no JSON has shown that this service uses envelopes; where such a file
 * came raw, it is the file. Only where none could show it, an answer that names the path asked for or
 * wraps `file` or `data` is taken for an envelope.
 * @param probed another file was asked for, and no more can be learned.
 */
export function readContent(
  path: string,
  answer: Uint8Array,
  habit: ContentHabit,
  probed = false,
): ContentReading {
  const json = jsonObject(answer);
  if (json === undefined) return { kind: 'raw' };
  const known = habit.raw === habit.envelope ? undefined : habit.raw ? 'raw' : 'envelope';
  const refusal = refusalIn(json);
  const found = envelopeIn(json, path);
  if (refusal !== undefined && found === undefined) {
    if (known === 'raw') return { kind: 'raw' };
    if (known === 'envelope' || isNoJson(path)) return { kind: 'refusal', refusal };
    return { kind: 'undecided' };
  }
  if (found === undefined) return { kind: 'raw' };
  const { envelope, names, wraps } = found;
  const isNot = isNoJson(path);
  // Services that answer text raw may still wrap what is no text, in an envelope that says so.
  if (known === 'raw') return names && isNot ? { kind: 'envelope', envelope } : { kind: 'raw' };
  const contradicted = habit.raw && habit.envelope;
  const looksSo = (names || wraps) && (probed || isNot);
  const decides = known === 'envelope' || looksSo || (isNot && !contradicted);
  return decides ? { kind: 'envelope', envelope } : { kind: 'undecided' };
}

/**
 * What the answer for `path` proves about the service. Text that is no JSON came raw, that is sure.
 * An envelope is proven by a file that by its name is no JSON, unless text has come raw before: then
 * it is more likely the odd file. What is no text is often wrapped, or not, for its own reasons.
 */
export function learnContent(path: string, answer: Uint8Array, habit: ContentHabit): ContentHabit {
  const json = jsonObject(answer);
  if (json === undefined) {
    return answer.length > 0 && decodeText(answer) !== undefined ? { ...habit, raw: true } : habit;
  }
  const proves = !habit.raw && isNoJson(path) && envelopeIn(json, path) !== undefined;
  return proves ? { ...habit, envelope: true } : habit;
}

/** The bytes of an envelope's content; undefined when it is not what `encoding` says. */
export function contentBytes(
  content: string,
  encoding: string | undefined,
): Uint8Array | undefined {
  if (isTextEncoding(encoding)) return Buffer.from(content, 'utf8');
  const isBase64 = nameOf(encoding) === 'base64' && base64Pattern.test(content);
  return isBase64 ? Buffer.from(content, 'base64') : undefined;
}

/** Whether the content of an envelope is the text itself. */
export function isTextEncoding(encoding: string | undefined): boolean {
  return textEncodings.has(nameOf(encoding));
}

const textEncodings = new Set(['', 'utf8', 'text', 'plain']);

function nameOf(encoding = ''): string {
  return encoding.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Base64 as RFC 4648 and MIME write it: line breaks are allowed, padding may be missing. */
const base64Pattern = /^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/;

/**
 * The exact text of bytes that are UTF-8 text, a byte order mark included; undefined for others.
 * A NUL is valid UTF-8 but no editor's text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** True for names of files that hold no JSON: an answer that is JSON for one of them is not the file. */
export function isNoJson(path: string): boolean {
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

/** What an envelope begins with, after whitespace. */
export const openBrace = 0x7b;

/** Whitespace as JSON has it (RFC 8259, 2). */
export function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** The answer as a JSON object; undefined when it is anything else, which no envelope is. */
function jsonObject(answer: Uint8Array): JsonRecord | undefined {
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

interface FoundEnvelope {
  readonly envelope: Envelope;
  /** It names the path asked for. */
  readonly names: boolean;
  /** It stands below `file` or `data`. */
  readonly wraps: boolean;
}

/** `{data: {file: {content}}}` is as deep as envelopes go. */
const deepest = 2;

function envelopeIn(json: JsonRecord, path: string, depth = 0): FoundEnvelope | undefined {
  const { content } = json;
  if (typeof content === 'string') {
    const names = ['path', 'filePath', 'file_path', 'name'].some((key) => json[key] === path);
    const { encoding } = json;
    const modifiedAt = json['modifiedAt'] ?? json['modified_at'];
    return {
      envelope: {
        content,
        encoding: typeof encoding === 'string' ? encoding : undefined,
        modifiedAt: typeof modifiedAt === 'string' ? modifiedAt : undefined,
      },
      names,
      wraps: depth > 0,
    };
  }
  if (depth === deepest) return undefined;
  for (const key of ['file', 'data', 'result']) {
    const inner = json[key];
    const found = isRecord(inner) ? envelopeIn(inner, path, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a service says that it answers a file as it is. */
export function isBytes(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/octet-stream';
}
