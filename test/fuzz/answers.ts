/** A parsed answer. */
export interface Answer {
  readonly isToHead: boolean;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The data received on a connection. */
export interface Answers {
  readonly complete: readonly Answer[];
  /** Bytes after the last complete answer. */
  readonly rest: number;
}

/** Parses the answers received so far to requests of these methods. Throws on invalid HTTP. */
export function answersIn(bytes: Buffer, methods: readonly string[]): Answers {
  const complete: Answer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) break;
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(first)}`);
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
      }),
    );
    const start = end + 4;
    // The host can't know the method of a request whose head is too large.
    const isToHead = methods[complete.length] === 'HEAD' && status !== 431;
    if (status === 101) {
      complete.push({ isToHead, status, headers, body: Buffer.alloc(0) });
      return { complete, rest: 0 };
    }
    const isEmpty = status < 200 || status === 204 || isToHead;
    const body = isEmpty ? { bytes: Buffer.alloc(0), next: start } : bodyAt(bytes, start, headers);
    if (body === undefined) break;
    at = body.next;
    if (status >= 200) complete.push({ isToHead, status, headers, body: body.bytes });
  }
  return { complete, rest: bytes.length - at };
}

function bodyAt(bytes: Buffer, start: number, headers: ReadonlyMap<string, string>) {
  if (headers.get('transfer-encoding') === 'chunked') return chunksAt(bytes, start);
  const length = Number(headers.get('content-length'));
  if (!Number.isSafeInteger(length)) throw new Error('an answer without length');
  const next = start + length;
  return next > bytes.length ? undefined : { bytes: bytes.subarray(start, next), next };
}

function chunksAt(bytes: Buffer, start: number) {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (Number.isNaN(length)) throw new Error('an answer with a chunk of no length');
    const next = end + 2 + length + 2;
    if (next > bytes.length) return undefined;
    if (length === 0) return { bytes: Buffer.concat(chunks), next };
    chunks.push(bytes.subarray(end + 2, next - 2));
    at = next;
  }
}

/** Matches leaked internals: positions in programs and contents of foreign files. */
const inside = /node_modules|node:internal|source\/host|\n {4}at |\.ts:\d+|SECRET/;

/** Matches paths of the host's files; checked only in errors, because a file may have such a name. */
const ownPlace = /hostdeck-fuzz/;

/** Returns the fault of an answer; undefined for a correct one. */
export function faultIn(
  { isToHead, status, headers, body }: Answer,
  asked: string,
): string | undefined {
  if (status >= 500) return `status ${status}: ${body.toString('utf8', 0, 300)}`;
  if (status === 101) return undefined;
  const text = body.toString('utf8');
  const leak = (inside.exec(text) ?? (status < 400 ? undefined : ownPlace.exec(text)))?.[0];
  if (leak !== undefined && !asked.includes(leak)) return `an answer tells of ${leak}`;
  if (isToHead || status === 204) return undefined;
  const type = headers.get('content-type');
  if (status === 200 && type === 'application/octet-stream') return undefined;
  if (type !== 'application/json; charset=utf-8') return `${status} of type ${type}`;
  return envelopeFault(status, text);
}

function envelopeFault(status: number, text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, 200)}`;
  }
  const { success, error, openapi } = value as {
    readonly success?: unknown;
    readonly openapi?: unknown;
    readonly error?: {
      readonly code?: unknown;
      readonly message?: unknown;
      readonly details?: unknown;
    };
  };
  if (status < 400) {
    return success === true || typeof openapi === 'string' ? undefined : 'a success that says none';
  }
  const isEnvelope =
    success === false &&
    typeof error?.code === 'string' &&
    typeof error.message === 'string' &&
    Array.isArray(error.details);
  return isEnvelope ? undefined : `no envelope: ${text.slice(0, 200)}`;
}
