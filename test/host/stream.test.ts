import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import { deploy, type ReadLog, readLogs } from './support/bodies.ts';
import { ManualClock } from './support/manual-clock.ts';
import { sharedHost } from './support/shared-host.ts';
import { idle, nodeService, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const clock = new ManualClock();
const service = sharedHost({
  clock,
  limits: { maxStreamBacklogBytes: 500_000, streamsPerWallet: 3 },
});
const owner = service.as('0xowner');

const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    if (socket.readyState === WebSocket.CLOSED) continue;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.terminate();
    await closed;
  }
});

function connect(
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${owner.token}` },
): WebSocket {
  const url = new URL(logStreamPath, service.host.baseUrl.replace('http', 'ws'));
  url.search = new URLSearchParams(query).toString();
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

async function refusal(socket: WebSocket): Promise<number | undefined> {
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  response.destroy();
  return response.statusCode;
}

/** Follows a deployment. Returns the received frames. */
async function follow(id: string) {
  const socket = connect({ deploymentId: id });
  const lines: ReadLog[] = [];
  const others: string[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ReadLog;
    if (message.type === 'log') lines.push(message);
    else others.push(message['type']);
  });
  await once(socket, 'open');
  return { socket, lines, others };
}

const counting = (from: number, to: number, wait = 0) =>
  nodeService(`setTimeout(() => {
    for (let n = ${from}; n < ${to}; n++) console.log('line', n);
  }, ${wait}); setInterval(() => {}, 1000)`);

describe('the log stream', () => {
  it('continues where fetched lines end, without gap or overlap', async () => {
    const { id } = await deploy(owner, sdlOf({ web: counting(0, 20_000) }));
    await waitFor(async () => {
      expect((await readLogs(owner, id, { limit: 1 })).length).toBe(1);
    });
    const { lines } = await follow(id);
    const fetched = await readLogs(owner, id);
    await waitFor(async () => {
      const [last] = await readLogs(owner, id, { limit: 1 });
      expect(last?.logLine).toBe('line 19999');
      expect(lines.at(-1)?.id ?? last?.id).toBe(last?.id);
    });
    const all = new Map([...fetched, ...lines].map((line) => [line.id, line]));
    const stored = await readLogs(owner, id);
    for (const line of stored.filter((each) => each.id >= (fetched[0]?.id ?? 0))) {
      expect(all.get(line.id)).toEqual(line);
    }
    const ids = lines.map((line) => line.id);
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
    await owner.call('closeDeployment', { id });
  });

  it('accepts its token in the query, too', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const socket = connect({ deploymentId: id, access_token: owner.token }, {});
    await once(socket, 'open');
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it('is refused before the upgrade with the matching status', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const stranger = { authorization: `Bearer ${service.as('0xstranger').token}` };
    expect(await refusal(connect({ deploymentId: id }, {}))).toBe(401);
    expect(await refusal(connect({ deploymentId: id, access_token: 'x' }, {}))).toBe(401);
    expect(await refusal(connect({ deploymentId: id }, stranger))).toBe(404);
    expect(await refusal(connect({ deploymentId: 'nope' }))).toBe(404);
    expect(await refusal(connect({}))).toBe(422);
    await Promise.all([follow(id), follow(id), follow(id)]);
    expect(await refusal(connect({ deploymentId: id }))).toBe(429);
  });

  it('answers a plain GET with 426', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const url = new URL(`${logStreamPath}?deploymentId=${id}`, service.host.baseUrl);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${owner.token}` } });
    expect(answer.status).toBe(426);
    expect(answer.headers.get('upgrade')).toBe('websocket');
    expect(await answer.json()).toMatchObject({ success: false });
  });

  it('pings every 15 s and disconnects a peer that no longer answers', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const { socket, others } = await follow(id);
    const ponged = once(socket, 'ping');
    clock.advance(15_000);
    await ponged;
    await waitFor(() => {
      expect(others).toEqual(['ping']);
    });
    const closed = once(socket, 'close');
    socket.pause();
    clock.advance(15_000);
    clock.advance(15_000);
    socket.resume();
    expect(await closed).toEqual([1006, expect.anything()]);
  });

  it('disconnects a slow reader with 4008, without affecting others', async () => {
    const program = `let n = 0; setInterval(() => {
      for (let k = 0; k < 200; k++) console.log('line', n++, 'x'.repeat(1000));
    }, 5)`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
    const slow = await follow(id);
    const fast = await follow(id);
    const closed = once(slow.socket, 'close');
    slow.socket.pause();
    // The buffers of the operating system absorb a few megabytes first.
    await waitFor(() => {
      expect(fast.lines.length).toBeGreaterThan(12_000);
    });
    slow.socket.resume();
    const [code, reason] = (await closed) as [number, Buffer];
    expect(code).toBe(4008);
    expect(reason.toString()).toContain('slow');
    for (const { lines } of [slow, fast]) {
      const ids = lines.map((line) => line.id);
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
    }
    expect(fast.lines.length).toBeGreaterThan(slow.lines.length);
    expect(fast.socket.readyState).toBe(WebSocket.OPEN);
    await owner.call('closeDeployment', { id });
  });

  it('of a closing deployment ends after its last line with 1000', async () => {
    const program = `process.on('SIGTERM', () => {
      for (let n = 0; n < 5000; n++) console.log('last', n);
      setTimeout(() => { console.log('bye'); process.exit(); }, 200);
    }); setInterval(() => {}, 1000); console.log('up');`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program), job: idle }));
    await waitFor(async () => {
      expect((await readLogs(owner, id)).some(({ logLine }) => logLine === 'up')).toBe(true);
    });
    const one = await follow(id);
    const other = await follow(id);
    const closed = [one, other].map(({ socket }) => once(socket, 'close'));
    await owner.call('closeDeployment', { id });
    for (const [code, reason] of (await Promise.all(closed)) as [number, Buffer][]) {
      expect([code, reason.toString()]).toEqual([1000, 'the deployment is closed']);
    }
    const stored = await readLogs(owner, id, { limit: 10_000 });
    for (const { lines } of [one, other]) {
      expect(lines.filter(({ logLine }) => logLine.startsWith('last'))).toHaveLength(5000);
      expect(lines.filter(({ logLine }) => logLine === 'stopped')).toHaveLength(2);
      expect(lines.filter(({ logLine }) => logLine === 'closed')).toHaveLength(2);
      expect(lines.at(-1)?.id).toBe(stored.at(-1)?.id);
    }
  });

  it('of a closed deployment ends immediately with 1000', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    await owner.call('closeDeployment', { id });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const socket = connect({ deploymentId: id });
      const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
      expect([code, reason.toString()]).toEqual([1000, 'the deployment is closed']);
      await service.again();
    }
  });

  it('of a suspended deployment ends when the deployment is closed', async () => {
    const poor = service.as('0xpoor');
    service.host.balance('0xpoor', '0');
    const { id } = await deploy(poor, sdlOf({ web: { ...idle, amount: 1000 } }));
    const socket = connect({ deploymentId: id }, { authorization: `Bearer ${poor.token}` });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await poor.call('closeDeployment', { id });
    expect((await closed)[0]).toBe(1000);
  });

  it('ends with 1001 when the host stops', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const { socket, lines } = await follow(id);
    const closed = once(socket, 'close');
    await service.again();
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1001, 'the host is stopping']);
    expect(lines.at(-1)?.logLine).toBe('stopped');
  });
});
