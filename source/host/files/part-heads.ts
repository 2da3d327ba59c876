import { isUtf8 } from 'node:buffer';
import { isExactFilename } from '../../contract/exact-filename.ts';
import { badRequest, invalidField, type Refusal } from '../refusal.ts';

/** Limit of RFC 2046, section 5.1.1. */
const maxBoundaryLength = 70;

/** Bytes of the headers of one part; the longest path takes a fifth of it. */
const maxHeadBytes = 16 * 1024;

/**
 * Reads the delimiters and the headers of a multipart body as its bytes arrive.
 *
 * - Counts parts: the parser's consumer would count too late, as small parts queue up in the parser.
 * - Refuses headers by which another file than the meant one could be written. The parser skips a part
 *   whose headers it can't read, and cuts or unescapes some filenames, without telling.
 */
export class PartHeads {
  readonly #delimiter: Buffer;
  /** Bytes that are not decided yet; begins with a line break, as the first delimiter needs none. */
  #rest: Buffer = Buffer.from('\r\n');
  #delimiters = 0;
  #place: 'content' | 'head' | 'end' = 'content';
  #refusal: Refusal | undefined;
  readonly #filenames: (string | undefined)[] = [];

  /** Returns undefined for a content type without a valid boundary. */
  static forContentType(contentType: string | undefined): PartHeads | undefined {
    const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '');
    const boundary = match?.[1] ?? match?.[2];
    if (boundary === undefined || boundary.length > maxBoundaryLength) return undefined;
    return new PartHeads(boundary);
  }

  private constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Number of complete parts; a part is complete once the next delimiter has arrived. */
  get complete(): number {
    return Math.max(0, this.#delimiters - 1);
  }

  /** True once the closing delimiter has arrived. */
  get isClosed(): boolean {
    return this.#place === 'end';
  }

  /** Returns the filename of a part by its place from 0; undefined when it has none. */
  filename(part: number): string | undefined {
    return this.#filenames[part];
  }

  /** The error of the first part that can't be taken as it was meant. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  push(chunk: Buffer): void {
    if (this.#place === 'end') return;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#place === 'content' ? this.#skipContent() : this.#readHead());
  }

  /** Skips content up to the next delimiter. Returns false when more bytes are needed. */
  #skipContent(): boolean {
    const at = this.#rest.indexOf(this.#delimiter);
    if (at < 0) {
      this.#rest = this.#rest.subarray(Math.max(0, this.#rest.length - this.#delimiter.length + 1));
      return false;
    }
    this.#delimiters += 1;
    this.#rest = this.#rest.subarray(at + this.#delimiter.length);
    this.#place = 'head';
    return true;
  }

  /** Reads the headers after a delimiter. Returns false when more bytes are needed. */
  #readHead(): boolean {
    if (this.#rest.length < 2) return false;
    if (this.#rest.toString('latin1', 0, 2) === '--') {
      this.#place = 'end';
      return false;
    }
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0 && this.#rest.length <= maxHeadBytes) return false;
    const head = end < 0 ? { refusal: unreadable() } : readHead(this.#rest.subarray(0, end));
    if (head.refusal === undefined) this.#filenames.push(head.filename);
    else this.#refusal ??= head.refusal;
    // The line break before the content belongs to the delimiter of an empty part.
    this.#rest = this.#rest.subarray(Math.max(0, end) + 2);
    this.#place = 'content';
    return true;
  }
}

/** A part by its headers: its filename, if it has one, or why the part can't be taken. */
type Head =
  | { readonly filename: string | undefined; readonly refusal?: undefined }
  | { readonly refusal: Refusal };

function readHead(head: Buffer): Head {
  const lines = head.toString('latin1').split('\r\n');
  const dispositions = lines.filter((line) => /^content-disposition:/i.test(line));
  const isFolded = lines.some((line) => /^[ \t]/.test(line));
  const value = /^[^:]*:[ \t]*form-data[ \t]*(.*?);?[ \t]*$/is.exec(dispositions[0] ?? '')?.[1];
  if (value === undefined || dispositions.length > 1 || isFolded || /[\r\n]/.test(lines.join(''))) {
    return { refusal: unreadable() };
  }
  const found = new Map<string, string>();
  parameters.lastIndex = 0;
  while (parameters.lastIndex < value.length) {
    const [, name = '', quoted, token] = parameters.exec(value) ?? [];
    if (name === '') return { refusal: inexactName() };
    if (found.has(name.toLowerCase())) return { refusal: unreadable() };
    found.set(name.toLowerCase(), quoted ?? token ?? '');
  }
  return filenameIn(found);
}

const parameters = /;[ \t]*([\w*-]+)=(?:"([^"\\]*)"|([!#$&'%*+.^`|~\w-]+))[ \t]*/y;

/**
 * Returns the filename. RFC 7578 has no `filename*`, but libraries of .NET and Python send it beside a
 * `filename` for old readers; it is exact (RFC 8187), so it is preferred (RFC 6266, section 4.3).
 */
function filenameIn(found: ReadonlyMap<string, string>): Head {
  const extended = found.get('filename*');
  const plain = found.get('filename');
  if (extended !== undefined) {
    const encoded = /^utf-8'[^']*'(.*)$/is.exec(extended)?.[1];
    if (encoded !== undefined && isEncodedUtf8(encoded)) {
      return { filename: decodeURIComponent(encoded) };
    }
    return { refusal: invalidField('filename*', `UTF-8 that is percent-encoded. ${usePut}`) };
  }
  if (plain === undefined) return { filename: undefined };
  const bytes = Buffer.from(plain, 'latin1');
  if (!isUtf8(bytes)) return { refusal: invalidField('filename', `a path in UTF-8. ${usePut}`) };
  const filename = bytes.toString();
  return isExactFilename(filename) ? { filename } : { refusal: inexactName() };
}

function isEncodedUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const unreadable = () =>
  badRequest('A part has no readable Content-Disposition (RFC 7578, section 4.2).');

const usePut = 'Write this file with PUT .../files/PATH, with the path percent-encoded';

const inexactName = () =>
  invalidField(
    'filename',
    `a path without ", \\, control characters, %22, %0A or the like, which programs read differently. ${usePut}`,
  );
