/** The transfer of a backup over the control socket. */
import { connect, type Socket } from 'node:net';
import { hasErrorCode } from '../files/missing.ts';

/**
 * The line that requests a backup. The host answers with frames and ends the connection. A frame is
 * a length of 4 bytes, most significant first, and as many bytes of the archive. Length 0 ends
 * them; a {@link BackupOutcome} as JSON follows. An older host answers any other request with a line
 * of JSON, whose first byte no length has.
 */
export const backupRequest = '{"op":"backup"}';

/** The same for a backup with volumes. A host of an older version refuses it. */
export const backupWithVolumesRequest = '{"op":"backup","volumes":true}';

/** Parts that a backup lacks. */
export interface BackupFindings {
  /** Number of entries of services that couldn't be read. */
  readonly skipped: number;
  /** Number of open deployments with volumes that were not asked for. */
  readonly withoutVolumes: number;
  /** Number of open deployments whose volumes on the container engine could not be read. */
  readonly withoutEngineVolumes: number;
  /** The reason for the last of them, in a few words. */
  readonly engineFailure?: string | undefined;
}

/** A backup as the host sends it. */
export interface StreamedBackup {
  /** The bytes of the archive; ending early cancels the backup. Throws when it fails. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Returns what is known so far, and all at the end. */
  findings(): BackupFindings;
}

export type BackupOutcome =
  | ({ readonly ok: true } & BackupFindings)
  | { readonly ok: false; readonly message: string };

const lengthBytes = 4;

/** Longest frame; no line of JSON begins like its length. */
const maxFrameBytes = 16 * 1024 * 1024;

/** Milliseconds without a read after which a receiver is given up. */
const defaultStallMs = 60_000;

/**
 * Sends a backup and ends the connection. Cancels the backup when the receiver leaves, or reads
 * nothing for `stallMs`.
 */
export async function sendBackup(
  socket: Socket,
  backup: StreamedBackup,
  stallMs = defaultStallMs,
): Promise<void> {
  let outcome: BackupOutcome;
  try {
    for await (const chunk of backup.bytes) {
      if (socket.destroyed) return;
      socket.cork();
      socket.write(lengthOf(chunk.length));
      const hasRoom = socket.write(chunk);
      socket.uncork();
      if (!hasRoom) await drained(socket, stallMs);
    }
    outcome = { ok: true, ...backup.findings() };
  } catch (error) {
    outcome = { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  socket.end(Buffer.concat([lengthOf(0), Buffer.from(JSON.stringify(outcome))]));
}

/**
 * Requests a backup from a host with one of the two requests, and yields the bytes of the archive. Returns the outcome; undefined
 * when no host listens or the host ended meanwhile. Throws the host's error message.
 */
export async function* receiveBackup(
  path: string,
  request = backupRequest,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, BackupOutcome | undefined> {
  signal?.throwIfAborted();
  const socket = connect(path);
  const abort = () => {
    socket.destroy(new Error('The backup was interrupted.'));
  };
  signal?.addEventListener('abort', abort);
  try {
    socket.write(`${request}\n`);
    const reader = new ByteReader(socket);
    for (;;) {
      const head = await reader.read(lengthBytes);
      if (head === undefined) return undefined;
      const length = head.readUInt32BE();
      if (length > maxFrameBytes) return parseOutcome(Buffer.concat([head, await reader.rest()]));
      if (length === 0) return parseOutcome(await reader.rest());
      const chunk = await reader.read(length);
      if (chunk === undefined) return undefined;
      yield chunk;
    }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE')) return undefined;
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.destroy();
  }
}

function parseOutcome(json: Buffer): BackupOutcome | undefined {
  // A host that ended has cut the outcome.
  if (!json.includes('}')) return undefined;
  return JSON.parse(json.toString()) as BackupOutcome;
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(lengthBytes);
  bytes.writeUInt32BE(length);
  return bytes;
}

/**
 * Resolves when the socket accepts more, or is closed. Closes it when the receiver reads nothing for
 * too long: while a backup runs, the host removes no files.
 */
function drained(socket: Socket, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), stallMs);
    const settle = () => {
      clearTimeout(timer);
      socket.off('drain', settle);
      socket.off('close', settle);
      resolve();
    };
    socket.on('drain', settle);
    socket.on('close', settle);
    if (socket.destroyed) settle();
  });
}

/** Reads exact numbers of bytes from a stream. */
class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#pieces = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Resolves with undefined when the stream ends before. */
  async read(length: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [this.#bytes];
    let available = this.#bytes.length;
    while (available < length) {
      const next = await this.#pieces.next();
      if (next.done === true) return undefined;
      pieces.push(next.value);
      available += next.value.length;
    }
    const all = pieces.length === 1 ? this.#bytes : Buffer.concat(pieces);
    this.#bytes = all.subarray(length);
    return all.subarray(0, length);
  }

  async rest(): Promise<Buffer> {
    const pieces: Buffer[] = [this.#bytes];
    let bytes = this.#bytes.length;
    while (bytes <= maxFrameBytes) {
      const next = await this.#pieces.next();
      if (next.done === true) break;
      pieces.push(next.value);
      bytes += next.value.length;
    }
    return Buffer.concat(pieces);
  }
}
