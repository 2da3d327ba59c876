/**
 * By hand: a process writes as fast as the host takes it, and one reader follows. Prints the
 * host's memory and what its log takes on the disk each minute. Minutes are the argument, 10 unless
 * told otherwise.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { cpuSeconds, peakMemory } from './process-figures.ts';

const minutes = Number(process.argv[2] ?? 10);
const file = (name: string) => path.resolve(import.meta.dirname, name);
/** The host's own: who reads too slowly is let go, and comes back. */
const backlog = String(8 * 1024 * 1024);

const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-flood-'));
const data = path.join(folder, 'data');
const start = path.join(folder, 'start');
const host = spawn(
  process.execPath,
  [file('log-host.ts'), data, backlog, file('line-writer.ts'), start],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const pid = host.pid ?? 0;
const [said] = (await once(createInterface(host.stdout), 'line')) as [string];
const [url = '', token = ''] = said.split(' ');

let readers = 0;
let ended = false;
let reader: ReturnType<typeof spawn> | undefined;
function follow(): void {
  readers += 1;
  reader = spawn(process.execPath, [file('frame-counter.ts'), url, '1', 'Infinity', token], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(reader.stdout ?? process.stdin).on('line', (line) => {
    if (line.startsWith('closed')) reader?.kill();
  });
  reader.once('exit', () => {
    if (!ended) follow();
  });
}
follow();
await writeFile(start, '');

const newest = async (): Promise<number> => {
  const id = new URL(url).searchParams.get('deploymentId') ?? '';
  const answer = await fetch(new URL(`/api/v1/deployments/${id}/logs?limit=1`, url), {
    headers: { authorization: `Bearer ${token}` },
  });
  const { logs } = (await answer.json()) as { readonly logs: readonly { readonly id: number }[] };
  return logs[0]?.id ?? 0;
};

const memory = async (): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;

process.stdout.write('minute  RSS MB  peak MB  log MB  M lines  fetch ms  cpu s  readers\n');
for (let minute = 1; minute <= minutes; minute += 1) {
  await setTimeout(60_000);
  const names = (await readdir(data)).filter((name) => name.startsWith('logs.db'));
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(data, name))).size),
  );
  const began = performance.now();
  const lines = await newest();
  const took = performance.now() - began;
  const figures = [
    minute,
    (await memory()).toFixed(0),
    peakMemory(pid).toFixed(0),
    (sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(0),
    (lines / 1e6).toFixed(1),
    took.toFixed(0),
    cpuSeconds(pid).toFixed(0),
    readers,
  ];
  process.stdout.write(`${figures.join('  ')}\n`);
}
ended = true;
reader?.kill();
host.kill('SIGTERM');
await once(host, 'exit');
await rm(folder, { recursive: true });
