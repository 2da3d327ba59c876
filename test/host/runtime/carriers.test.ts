import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { endRunProcesses, findRunProcesses } from '../../../source/host/runtime/carriers.ts';

/** Starts a process of a run. Its environment is empty until its program has begun. */
async function startProcess(run: string) {
  const env = { ...process.env, HOSTDECK_RUN: run };
  const child = spawn('sh', ['-c', 'echo begun; read line'], { env });
  await once(child.stdout, 'data');
  return child;
}

it('concurrent searches each find and end their own processes, even ones created meanwhile', async () => {
  const runs = Array.from({ length: 5 }, () => randomUUID());
  const children = [];
  const searches = [];
  for (const run of runs) {
    children.push(await startProcess(run));
    const found: number[] = [];
    const search = findRunProcesses(new Set([run]), (pid) => found.push(pid));
    searches.push(search.then(() => found));
  }
  expect(await Promise.all(searches)).toEqual(children.map(({ pid }) => [pid]));
  const ended = children.map((child) => once(child, 'exit'));
  const gone = randomUUID();
  const found = runs.map((run) => endRunProcesses(new Set([run, gone]), 1000));
  expect(await Promise.all(found)).toEqual(runs.map((run) => new Set([run])));
  expect(await Promise.all(ended)).toEqual(children.map(() => [null, 'SIGTERM']));
});
