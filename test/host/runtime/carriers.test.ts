import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { endCarriers, findCarriers } from '../../../source/host/runtime/carriers.ts';

/** A process of a run, which has begun. */
async function carrierOf(run: string) {
  const child = spawn('sleep', ['60'], { env: { ...process.env, HOSTDECK_RUN: run } });
  await once(child, 'spawn');
  return child;
}

it('who looks at the same time finds each his own, also what was made after others began', async () => {
  const runs = Array.from({ length: 5 }, () => randomUUID());
  const children = [];
  const looks = [];
  for (const run of runs) {
    children.push(await carrierOf(run));
    const found: number[] = [];
    const asked = findCarriers(new Set([run]), (pid) => found.push(pid));
    looks.push(asked.then(() => found));
  }
  expect(await Promise.all(looks)).toEqual(children.map(({ pid }) => [pid]));
  const ended = children.map((child) => once(child, 'exit'));
  await Promise.all(runs.map((run) => endCarriers(new Set([run]), 1000)));
  expect(await Promise.all(ended)).toEqual(children.map(() => [null, 'SIGTERM']));
});
