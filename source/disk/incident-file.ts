/** Packs incidents into files and reads them back: JSON lines, compressed with gzip. */
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { describeLocalError } from '../client/local-reason.ts';
import { encodeIncident } from '../store/incident/encode-incident.ts';
import type { Incident } from '../store/incident/incident.ts';
import {
  type IncidentProblem,
  parseIncident,
  type ParsedIncident,
} from '../store/incident/parse-incident.ts';

/** Bytes of the largest file that is read, and of its decompressed content. */
export interface IncidentLimits {
  readonly file: number;
  readonly content: number;
}

const defaultLimits: IncidentLimits = { file: 256 * 1024 * 1024, content: 1024 * 1024 * 1024 };

/** Offset of the field of a gzip header for the system that wrote it, and its value for any (RFC 1952). */
const systemOffset = 9;
const anySystem = 255;

/** Resolves with the bytes of an incident file; the same on every machine for the same incident. */
export async function packIncident(incident: Incident): Promise<Buffer> {
  const packed = await promisify(gzip)(Buffer.concat(await chunks(incident)));
  packed[systemOffset] = anySystem;
  return packed;
}

async function chunks(incident: Incident): Promise<readonly Buffer[]> {
  const all: Buffer[] = [];
  let lines: string[] = [];
  for (const line of encodeIncident(incident)) {
    lines.push(line);
    if (lines.length < 1000) continue;
    all.push(Buffer.from(lines.join('')));
    lines = [];
    // A console goes on drawing meanwhile.
    await new Promise(setImmediate);
  }
  all.push(Buffer.from(lines.join('')));
  return all;
}

/** Resolves with the incident in a file, or with a sentence about why there is none. */
export async function readIncidentFile(
  file: string,
  limits: IncidentLimits = defaultLimits,
): Promise<ParsedIncident> {
  const read = await readBytes(file, limits);
  return read instanceof Uint8Array ? unpackIncident(read, limits) : { ok: false, problem: read };
}

async function readBytes(file: string, limits: IncidentLimits): Promise<Buffer | IncidentProblem> {
  try {
    const handle = await open(file, 'r');
    try {
      const found = await handle.stat();
      if (!found.isFile()) return { sentence: `Can't read ${file}: it isn't a file.`, next: '' };
      return found.size > limits.file ? tooLarge : await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { sentence: `Can't read ${file}: ${describeLocalError(error)}.`, next: '' };
  }
}

/** Resolves with the incident in the bytes of a file. */
export async function unpackIncident(
  bytes: Uint8Array,
  limits: IncidentLimits = defaultLimits,
): Promise<ParsedIncident> {
  let content: Buffer;
  try {
    content = await promisify(gunzip)(bytes, { maxOutputLength: limits.content });
  } catch (error) {
    return { ok: false, problem: unpackProblem(error) };
  }
  return parseIncident(linesOf(content));
}

function* linesOf(content: Buffer): Generator<string> {
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(0x0a, start);
    const next = end < 0 ? content.length : end;
    yield content.toString('utf8', start, next);
    start = next + 1;
  }
}

const tooLarge: IncidentProblem = {
  sentence: 'This file is too large for an incident file.',
  next: 'hostdeck writes none as large; it may have been made to do harm.',
};

function unpackProblem(error: unknown): IncidentProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge;
  if (code === 'Z_BUF_ERROR') {
    return {
      sentence: 'This incident file is cut: its end is missing.',
      next: 'Copy it again from where it was written.',
    };
  }
  return {
    sentence: "This isn't an incident file, or it is damaged.",
    next: 'hostdeck incident NAME --output FILE writes one.',
  };
}
