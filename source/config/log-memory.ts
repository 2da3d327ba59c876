import type { Configured } from './environment.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';

/** The limits as written on the command line and in the environment. */
export interface LogMemoryTexts {
  readonly lines: string | undefined;
  readonly bytes: string | undefined;
}

const fewestLines = 1000;
const mostLines = 100_000_000;
const mebibyte = 2 ** 20;
const leastBytes = mebibyte;
const mostBytes = 64 * 1024 * mebibyte;

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: mebibyte, G: 1024 * mebibyte };

export const linesRange = 'from 1000 to 100000000';
export const bytesRange = 'from 1M to 64G';

/** Parses the limits; on failure tells which of them can't be parsed. */
export function parseLogMemory(
  texts: LogMemoryTexts,
):
  | { readonly ok: true; readonly value: LogMemory }
  | { readonly ok: false; readonly wrong: 'lines' | 'bytes' } {
  const maxLines = texts.lines === undefined ? undefined : parseLines(texts.lines);
  const maxBytes = texts.bytes === undefined ? undefined : parseBytes(texts.bytes);
  if (texts.lines !== undefined && maxLines === undefined) return { ok: false, wrong: 'lines' };
  if (texts.bytes !== undefined && maxBytes === undefined) return { ok: false, wrong: 'bytes' };
  return { ok: true, value: { maxLines, maxBytes } };
}

/** Reads HOSTDECK_LOG_LINES and HOSTDECK_LOG_BYTES. */
export function readLogMemory(env: NodeJS.ProcessEnv): Configured<LogMemory> {
  const texts = {
    lines: nonEmpty(env['HOSTDECK_LOG_LINES']),
    bytes: nonEmpty(env['HOSTDECK_LOG_BYTES']),
  };
  const read = parseLogMemory(texts);
  if (read.ok) return read;
  const [sentence, next] =
    read.wrong === 'lines'
      ? [`HOSTDECK_LOG_LINES is ${texts.lines}.`, `It must be a number ${linesRange}.`]
      : [`HOSTDECK_LOG_BYTES is ${texts.bytes}.`, `It must be a size ${bytesRange}.`];
  return { ok: false, problem: { sentence, next } };
}

/** Returns the limits, each of them by the first that sets it. */
export function mergeLogMemory(limits: readonly (LogMemory | undefined)[]): LogMemory {
  return {
    maxLines: limits.find((each) => each?.maxLines !== undefined)?.maxLines,
    maxBytes: limits.find((each) => each?.maxBytes !== undefined)?.maxBytes,
  };
}

function parseLines(text: string): number | undefined {
  const lines = Number(text);
  return /^\d+$/.test(text) && lines >= fewestLines && lines <= mostLines ? lines : undefined;
}

/** Parses a number of bytes with an optional unit: 512M, 1G, 64KiB. */
function parseBytes(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,12})([KMG]?)(?:i?B)?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const bytes = Number(digits) * (units[unit.toUpperCase()] ?? 1);
  return bytes >= leastBytes && bytes <= mostBytes ? bytes : undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
