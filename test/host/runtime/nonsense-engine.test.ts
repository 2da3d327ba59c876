import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arrived, fakeEngine, json } from '../engine/fake-engine.ts';
import { type ContainerOutcome, runContainer } from './run-container.ts';

/** The operations of a run: the prefix of each request, and a valid answer. */
const operations: readonly [string, (arrived: Arrived) => void][] = [
  ['GET /containers/json', (arrived) => json(arrived, 200, [])],
  ['GET /networks?', (arrived) => json(arrived, 200, [])],
  ['GET /images/', (arrived) => json(arrived, 200, {})],
  ['POST /networks/create', (arrived) => json(arrived, 201, { Id: 'n' })],
  ['POST /containers/create', (arrived) => json(arrived, 201, { Id: 'x', Warnings: [] })],
  [
    'PUT /containers/x/archive',
    ({ request, response }) => void request.resume().on('end', () => response?.end()),
  ],
  [
    'POST /containers/x/attach',
    ({ socket }) => socket.end('HTTP/1.1 200 OK\r\n\r\n\u0001\0\0\0\0\0\0\u0003up\n'),
  ],
  ['POST /containers/x/wait', (arrived) => json(arrived, 200, { StatusCode: 0 })],
  ['POST /containers/x/start', ({ response }) => void response?.writeHead(204).end()],
  [
    'GET /containers/x/json',
    (arrived) =>
      json(arrived, 200, {
        State: { Running: false, ExitCode: 0, OOMKilled: false },
        HostConfig: { PidsLimit: 512 },
      }),
  ],
  ['DELETE /', ({ response }) => void response?.writeHead(204).end()],
];

const nonsense: readonly [string, string][] = [
  ['a page', 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>'],
  ['null', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull'],
  ['an odd list', 'HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n[null,1,[],{"a":1'],
  [
    'odd fields',
    'HTTP/1.1 200 OK\r\nContent-Length: 46\r\n\r\n{"Id":[],"State":7,"HostConfig":1,"Labels":""} ',
  ],
  ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"Id":"x'],
  ['no HTTP', 'no such thing\r\n\r\n'],
  ['nothing', ''],
  ['that it moved', 'HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'],
  ['bytes', `HTTP/1.1 500 No\r\nConnection: close\r\n\r\n${'\u0000\u00ff'.repeat(1000)}`],
];

describe('an engine with invalid answers', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-nonsense-'));
    await writeFile(path.join(folder, 'file'), 'content');
  });

  afterAll(() => rm(folder, { recursive: true }));

  /** Runs a container on an engine that answers one operation with these bytes. */
  const runOn = async (operation?: string, bytes?: string): Promise<ContainerOutcome> => {
    const engine = await fakeEngine((arrived) => {
      const { method, url = '' } = arrived.request;
      const asked = `${method} ${url.replace(/^\/v1\.41/, '')}`;
      if (bytes !== undefined && asked.startsWith(operation ?? '')) {
        arrived.socket.end(bytes, 'latin1');
        return;
      }
      const [, answer] = operations.find(([begin]) => asked.startsWith(begin)) ?? [];
      if (answer === undefined) json(arrived, 404, { message: 'page not found' });
      else answer(arrived);
    });
    return await runContainer(folder, 'true', { env: { DOCKER_HOST: engine.place.address } });
  };

  it('runs a container when all answers are valid', async () => {
    expect(await runOn()).toEqual({
      lines: ['up'],
      events: ['isolation: container'],
      end: { code: 0 },
    });
  });

  it.each(operations.map(([operation]) => operation))(
    'to %s only makes the run fail or end',
    async (operation) => {
      const outcomes = await Promise.all(nonsense.map(([, bytes]) => runOn(operation, bytes)));
      for (const [at, { failure, end, events }] of outcomes.entries()) {
        const description = `${nonsense[at]?.[0]}: ${JSON.stringify({ failure, end, events })}`;
        expect(failure !== undefined || end !== undefined, description).toBe(true);
        const texts = [failure ?? '', end?.lost ?? '', ...events].join(' ');
        expect(texts, description).not.toMatch(/undefined|TypeError|Cannot read|\0/);
      }
    },
  );
});
