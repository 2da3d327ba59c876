import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition, Session } from '../e2e/harness.ts';

/** A key, and how the screen looks once it was answered. */
export interface Step {
  readonly key: string;
  readonly answered: Condition;
}

/** A service in a process of its own: a script beside this one, which prints its address. */
export async function startServer(
  script: string,
  ...args: readonly string[]
): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const file = path.resolve(import.meta.dirname, script);
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    baseUrl: String((await said.next()).value),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

const cursorRow = ({ terminal }: Session): string =>
  terminal.rows
    .map((row) => /^>[^│|]*/.exec(row)?.[0] ?? '')
    .join('')
    .trim();
const cursorAt = ({ terminal }: Session): number =>
  terminal.rows.findIndex((row) => row.startsWith('>'));

/** A key that moves the cursor to another row, or other rows below it. */
export function moves(session: Session, key: string): Step {
  const row = cursorRow(session);
  const at = cursorAt(session);
  return { key, answered: (now) => cursorRow(now) !== row || cursorAt(now) !== at };
}

/** Presses one key after the other at a person's pace; gives the milliseconds to each answer. */
export async function press(session: Session, next: () => Step, count: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let pressed = 0; pressed < count; pressed += 1) {
    await sleep(60 + Math.random() * 80);
    const { key, answered } = next();
    const begun = performance.now();
    session.press(key);
    await session.waitFor(answered);
    latencies.push(session.arrival - begun);
  }
  return latencies;
}
