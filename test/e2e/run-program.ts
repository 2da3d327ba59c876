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

/**
 * Runs the built program with its output in pipes, in a session of its own, so that it has no
 * terminal to ask on.
 */
export async function runProgram(
  args: readonly string[],
  { home, env = {}, input = '', cwd }: ProgramRun,
): Promise<ProgramEnd> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...home.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    cwd,
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  await once(child, 'close');
  return { ...written, code: child.exitCode };
}
