import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { routePath } from '../../source/contract/routes.ts';
import { issueToken } from '../../source/host/administration.ts';
import { deploy } from '../host/support/bodies.ts';
import { type Caller, callHost, idle, sdlOf } from '../host/support/temporary-host.ts';
import { inTurn, type Row } from './measure.ts';
import { connections, requestRate } from './request-load.ts';

const hostProcess = path.resolve(import.meta.dirname, '../host/support/host-process.ts');
const fileSyncs = path.resolve(import.meta.dirname, 'file-syncs.ts');

const measuredMs = 500;
const rounds = 9;

/** Files a second that the host must put on the disk, unless the disk takes fewer. */
const wantedRate = 300;

/** Files a second that clients put on the disk, against a program that does nothing else. */
export async function hostWrites(): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-bench-'));
  const children: ChildProcess[] = [];
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    children.push(child);
    return child;
  };
  try {
    const data = path.join(folder, 'data');
    const command = JSON.stringify({ kind: 'host', port: 0, version: 'bench', data });
    const host = start([hostProcess, command]);
    const [line] = (await once(createInterface(host.stderr), 'line')) as [string];
    const baseUrl = line.slice(line.indexOf('http'));
    const token = await issueToken(data, '0xbench');
    const caller: Caller = {
      wallet: '0xbench',
      token,
      call: (operation, options) => callHost(baseUrl, token, operation, options),
    };
    const { id } = await deploy(caller, sdlOf({ web: idle }));
    const sync = start([
      fileSyncs,
      path.join(folder, 'synced'),
      String(measuredMs),
      String(connections),
    ]);
    const answers = createInterface(sync.stdout)[Symbol.asyncIterator]();
    const reference = async () => {
      sync.stdin.write('\n');
      return Number((await answers.next()).value);
    };
    const rows: Row[] = [];
    for (const [what, fileOf] of [
      ['the same file', () => 'source/file.txt'],
      ['a file for each connection', (index: number) => `source/file-${10 + index}.txt`],
    ] as const) {
      const request = (index: number) =>
        putRequest(routePath('updateFile', { id, name: 'web', path: fileOf(index) }), token);
      const rates = await inTurn(
        rounds,
        () => requestRate(baseUrl, request, measuredMs),
        reference,
      );
      rows.push({
        what: `files of 4 KiB put on the disk a second, 32 connections: ${what}`,
        ours: rates.ours.toFixed(0),
        reference: `${wantedRate}, or fewer that 32 writers replace and sync: ${rates.reference.toFixed(0)}`,
        ratio: rates.ours / Math.min(wantedRate, rates.reference),
        goal: { least: 1 },
      });
    }
    return rows;
  } finally {
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  }
}

function putRequest(url: string, token: string): string {
  const body = JSON.stringify({ content: 'x'.repeat(4096) });
  const head = [
    `PUT ${url} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
