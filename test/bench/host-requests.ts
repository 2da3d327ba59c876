import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationName, operations, routePath } from '../../source/contract/routes.ts';
import { issueToken } from '../../source/host/administration.ts';
import { deploy, readDeployment } from '../host/support/bodies.ts';
import { type Caller, callHost, idle, sdlOf } from '../host/support/temporary-host.ts';
import type { BareRoute } from './bare-routes.ts';
import { inTurn, type Row } from './measure.ts';
import { requestRate } from './request-load.ts';

const hostProcess = path.resolve(import.meta.dirname, '../host/support/host-process.ts');
const bareRoutes = path.resolve(import.meta.dirname, 'bare-routes.ts');

const deployments = 10;
const fileBytes = 4096;
const measuredMs = 500;
const rounds = 9;

/** A request that is sent again and again. */
interface Question {
  readonly what: string;
  readonly operation: OperationName;
  readonly isRead: boolean;
  readonly body: string;
}

const content = 'x'.repeat(fileBytes);
const questions: readonly Question[] = [
  {
    what: `list of ${deployments} deployments`,
    operation: 'listDeployments',
    isRead: true,
    body: '',
  },
  { what: 'get deployment', operation: 'getDeployment', isRead: true, body: '' },
  { what: 'get file of 4 KiB', operation: 'getFile', isRead: true, body: '' },
  {
    what: 'put file of 4 KiB, on the disk when answered',
    operation: 'updateFile',
    isRead: false,
    body: JSON.stringify({ content }),
  },
];

/** Requests a second that the host answers, against bare Fastify routes that answer the same bytes. */
export async function hostRequests(): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-bench-'));
  const children: ChildProcess[] = [];
  try {
    const data = path.join(folder, 'data');
    const command = JSON.stringify({ kind: 'host', port: 0, version: 'bench', data });
    const baseUrl = await firstUrl(children, [hostProcess, command], 'stderr');
    const token = await issueToken(data, '0xbench');
    const caller: Caller = {
      wallet: '0xbench',
      token,
      call: (operation, options) => callHost(baseUrl, token, operation, options),
    };
    const id = await fill(caller);
    const parameters = { id, name: 'web', path: 'source/file.txt' };
    const routes: BareRoute[] = [];
    for (const { operation, body } of questions) {
      const json = body === '' ? undefined : { content };
      const answer = await caller.call(operation, { ...parameters, json });
      routes.push({
        method: operations[operation].method === 'PUT' ? 'PUT' : 'GET',
        path: routePath(operation, parameters),
        body: JSON.stringify(answer.body),
      });
    }
    const list = path.join(folder, 'routes.json');
    await writeFile(list, JSON.stringify(routes));
    const bareUrl = await firstUrl(children, [bareRoutes, list], 'stdout');
    const rows: Row[] = [];
    for (const [index, question] of questions.entries()) {
      const route = routes[index];
      if (route === undefined) continue;
      rows.push(await compare(question, requestOf(route, question.body, token), baseUrl, bareUrl));
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

async function compare(
  { what, isRead }: Question,
  request: string,
  baseUrl: string,
  bareUrl: string,
): Promise<Row> {
  const rates = await inTurn(
    rounds,
    () => requestRate(baseUrl, request, measuredMs),
    () => requestRate(bareUrl, request, measuredMs),
  );
  const row = {
    what: `requests/s to the host, 32 connections: ${what}`,
    ours: rates.ours.toFixed(0),
    reference: `bare Fastify route, the same bytes: ${rates.reference.toFixed(0)}`,
    ratio: rates.ours / rates.reference,
  };
  return isRead ? { ...row, goal: { least: 0.5 } } : row;
}

function requestOf({ method, path: url }: BareRoute, body: string, token: string): string {
  const length =
    body === '' ? [] : [`Content-Type: application/json`, `Content-Length: ${body.length}`];
  const head = [
    `${method} ${url} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    ...length,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Makes deployments that run, and gives the id of one. */
async function fill(caller: Caller): Promise<string> {
  let id = '';
  for (let index = 0; index < deployments; index += 1) {
    ({ id } = await deploy(caller, sdlOf({ web: idle, worker: idle })));
    while ((await readDeployment(caller, id)).state !== 'active') await sleep(20);
  }
  return id;
}

/** Starts a program and gives the URL that its first line ends with. */
async function firstUrl(
  children: ChildProcess[],
  args: readonly string[],
  from: 'stdout' | 'stderr',
): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const [line] = (await once(createInterface(child[from]), 'line')) as [string];
  return line.slice(line.indexOf('http'));
}
