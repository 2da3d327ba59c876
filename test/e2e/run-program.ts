import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Home } from './harness-home.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** The end of a program whose output went into pipes. */
export interface ProgramEnd {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface ProgramRun {
  readonly home: Home;
  readonly env?: Readonly<Record<string, string>>;
  /** Text that stdin has; empty by default. */
  readonly input?: string;
  readonly cwd?: string;
}

/** A program whose output goes into pipes. */
export interface RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves once stdout is as wanted. */
  waitFor(isWanted: (stdout: string) => boolean): Promise<void>;
  /** Resolves once stderr is as wanted. */
  waitForNote(isWanted: (stderr: string) => boolean): Promise<void>;
}

/**
 * Runs the built program with its output in pipes, in a session of its own, so that it has no
 * terminal to ask on.
 */
export function runProgram(args: readonly string[], run: ProgramRun): Promise<ProgramEnd> {
  return startProgram(args, run).ended;
}

/** Starts the built program like {@link runProgram}. */
export function startProgram(
  args: readonly string[],
  { home, env = {}, input = '', cwd }: ProgramRun,
): RunningProgram {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...home.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    cwd,
  });
  const written = { stdout: '', stderr: '' };
  const checks = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
    for (const check of checks) check();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
    for (const check of checks) check();
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = once(child, 'close').then(() => ({ ...written, code: child.exitCode }));
  const waitUntil = async (isWanted: () => boolean): Promise<void> => {
    const seen = new Promise<void>((resolve) => {
      const check = (): void => {
        if (isWanted()) resolve();
      };
      checks.add(check);
      check();
    });
    await Promise.race([seen, ended]);
    if (!isWanted()) throw new Error(`It ended: ${JSON.stringify(written)}`);
  };
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    waitFor: (isWanted) => waitUntil(() => isWanted(written.stdout)),
    waitForNote: (isWanted) => waitUntil(() => isWanted(written.stderr)),
  };
}
