import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Errors with which the calls of a kind can fail; the calls of a run take turns. */
const codes = {
  open: ['EMFILE', 'EIO', 'ENOSPC'],
  write: ['ENOSPC', 'EIO'],
  fsync: ['EIO', 'ENOSPC'],
  rename: ['ENOSPC', 'EIO'],
  mkdir: ['ENOSPC', 'EIO'],
} as const;

export type CallKind = keyof typeof codes;

/** The n-th call of a kind fails, counted in all threads and processes; `3+`: all later ones too. */
export interface IoFault {
  readonly call: CallKind;
  readonly code: (typeof codes)[CallKind][number];
  readonly at: string;
}

/** A file operation below the counted folders. */
export interface CountedCall {
  readonly call: CallKind;
  /** Its number among those of its kind, from 1. */
  readonly at: number;
  readonly failed: boolean;
  readonly file: string;
}

/** Places from which a program reads its fault and to which it writes its calls. */
interface FaultPlace {
  /** The folders whose operations are counted. */
  readonly under: readonly string[];
  /** A folder for the count and the record of the calls. */
  readonly folder: string;
}

const source = path.resolve(import.meta.dirname, 'fail-calls.c');
const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/hostdeck');
const library = path.join(cache, 'fail-calls.so');

/** Compiles the library that fails calls; needs a C compiler. */
export function compileFailingCalls(): void {
  mkdirSync(cache, { recursive: true });
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    stdio: 'inherit',
  });
}

/** Returns the environment of a program whose calls are counted, and fail where a fault is given. */
export function faultEnvironment(
  fault: IoFault | undefined,
  { under, folder }: FaultPlace,
): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    HOSTDECK_FAULT: fault === undefined ? '' : ioFaultText(fault),
    HOSTDECK_FAULT_UNDER: under.join(':'),
    HOSTDECK_FAULT_LOG: path.join(folder, 'calls'),
    HOSTDECK_FAULT_COUNTS: path.join(folder, 'counts'),
  };
}

/** Returns the counted calls of a program, in order. */
export function countedCalls(folder: string): readonly CountedCall[] {
  const file = path.join(folder, 'calls');
  if (!existsSync(file)) return [];
  const pattern = /^(\w+) (\d+) \d+( FAILS)? (.*)$/gm;
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, call, at, failed, name]) => ({
    call: call as CallKind,
    at: Number(at),
    failed: failed !== undefined,
    file: name ?? '',
  }));
}

/** Parts of a session after which the calls of a kind fail for good. */
const lastingFrom = [0, 0.25, 0.5, 0.75];

/**
 * Returns a fault for each counted call, with one of its errors in turn, and for each kind some that last
 * from one call on. The calls before the program runs are Node's.
 */
export function ioFaultsOf(all: readonly CountedCall[]): readonly IoFault[] {
  const calls = all.slice(all.findIndex(({ file }) => path.basename(file) === 'cli.js') + 1);
  const once = calls.map(({ call, at }): IoFault => {
    const errors = codes[call];
    return { call, code: errors[at % errors.length] ?? 'EIO', at: String(at) };
  });
  const lasting = Object.keys(codes).flatMap((kind) => {
    const ofKind = calls.filter(({ call }) => call === kind);
    return lastingFrom.flatMap((part) => {
      const first = ofKind[Math.floor(ofKind.length * part)];
      if (first === undefined) return [];
      return [{ call: first.call, code: codes[first.call][0], at: `${first.at}+` }];
    });
  });
  return [...once, ...lasting];
}

/** `open EMFILE 12`: the fault as the library and `--fault` read it. */
export function ioFaultText({ call, code, at }: IoFault): string {
  return `${call} ${code} ${at}`;
}

/** Reads {@link ioFaultText}; undefined for another text. */
export function readIoFault(text: string): IoFault | undefined {
  const [, call = '', code = '', at = ''] = /^(\w+) (\w+) (\d+\+?)$/.exec(text) ?? [];
  const known: readonly string[] | undefined = codes[call as CallKind];
  if (!(known?.includes(code) ?? false)) return undefined;
  return { call: call as CallKind, code: code as IoFault['code'], at };
}
