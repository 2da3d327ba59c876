import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';
import { routePath, uploadField } from '../../source/contract/routes.ts';
import { issueToken } from '../../source/host/administration.ts';
import { callHost, idle, sdlOf } from '../host/support/temporary-host.ts';
import { inTurn, type Row } from './measure.ts';

const mebibyte = 2 ** 20;
const goal = 1.5;

interface Load {
  readonly what: string;
  readonly files: number;
  /** Bytes of each. */
  readonly size: number;
  readonly rounds: number;
}

const loads: readonly Load[] = [
  { what: '1,000 files of 4 KiB', files: 1000, size: 4096, rounds: 5 },
  { what: 'one file of 500 MiB', files: 1, size: 500 * mebibyte, rounds: 3 },
];

const uploadClient = path.resolve(import.meta.dirname, 'upload-client.ts');
const hostProcess = path.resolve(import.meta.dirname, '../host/support/host-process.ts');

/** Ms of uploads to our host in a process of its own: ours, and `curl` sending the same request. */
export async function uploads(): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-bench-'));
  const host = await startHost(path.join(folder, 'data'));
  const rows: Row[] = [];
  try {
    for (const [index, load] of loads.entries()) {
      rows.push(await measure(load, path.join(folder, String(index)), host));
    }
  } finally {
    host.child.kill('SIGTERM');
    await once(host.child, 'exit');
    await rm(folder, { recursive: true });
  }
  return rows;
}

interface BenchHost {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly token: string;
  readonly deployment: string;
}

async function startHost(data: string): Promise<BenchHost> {
  const command = JSON.stringify({ kind: 'host', port: 0, version: 'bench', data });
  const child = spawn(process.execPath, [hostProcess, command], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  const baseUrl = line.slice(line.indexOf('http'));
  const token = await issueToken(data, '0xbench');
  const sdl = sdlOf({ web: idle });
  const { body } = await callHost(baseUrl, token, 'createDeployment', { json: { sdl } });
  const { deployment } = body as { readonly deployment: { readonly id: string } };
  return { child, baseUrl, token, deployment: deployment.id };
}

async function measure(load: Load, folder: string, host: BenchHost): Promise<Row> {
  await mkdir(folder);
  for (let index = 0; index < load.files; index += 1) {
    await fill(path.join(folder, `file-${index}.bin`), load.size);
  }
  let highest = 0;
  let growth = 0;
  const ours = async (): Promise<number> => {
    const { ms, before, peak } = await upload(folder, host);
    highest = Math.max(highest, peak);
    growth = Math.max(growth, peak - before);
    return ms;
  };
  const took = await inTurn(load.rounds, ours, () => curl(folder, host));
  const memory = `peak memory ${mebibytes(highest)}, ${mebibytes(growth)} of it for this`;
  return {
    what: `upload of ${load.what}`,
    ours: `${took.ours.toFixed(0)} ms, ${memory}`,
    reference: `\`curl\`: ${took.reference.toFixed(0)} ms`,
    ratio: took.ours / took.reference,
    goal,
  };
}

async function fill(file: string, size: number): Promise<void> {
  if (size <= mebibyte) return await writeFile(file, Buffer.alloc(size, file));
  const handle = await open(file, 'w');
  // Not sparse, so that both read it.
  const piece = Buffer.alloc(mebibyte, file);
  for (let written = 0; written < size; written += piece.length) await handle.write(piece);
  await handle.close();
}

function mebibytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(0)} MiB`;
}

/** The output of the uploading process; memory in bytes. */
interface Uploaded {
  readonly ms: number;
  readonly before: number;
  readonly peak: number;
}

async function upload(
  folder: string,
  { baseUrl, token, deployment }: BenchHost,
): Promise<Uploaded> {
  const env = { ...process.env, HOSTDECK_BASE_URL: baseUrl, HOSTDECK_TOKEN: token };
  const child = spawn(process.execPath, [uploadClient, folder, deployment], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await json(child.stdout)) as Uploaded;
}

/** Ms from its start to its end. */
async function curl(folder: string, { baseUrl, token, deployment }: BenchHost): Promise<number> {
  const names = await readdir(folder);
  const url = baseUrl + routePath('uploadFiles', { id: deployment, name: 'web' });
  const options = [
    `url = "${url}"`,
    `header = "Authorization: Bearer ${token}"`,
    'header = "Expect:"',
    'silent',
    'fail',
    ...names.map((name) => `form = "${uploadField}=@${path.join(folder, name)};filename=${name}"`),
  ];
  const started = performance.now();
  const child = spawn('curl', ['--config', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(options.join('\n'));
  const exited = once(child, 'exit');
  const [said, [code]] = await Promise.all([text(child.stdout), exited]);
  if (code !== 0) throw new Error(`curl ended with ${code}: ${said}`);
  return performance.now() - started;
}
