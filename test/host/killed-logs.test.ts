import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import { ControlClient } from '../../source/host/control/control-client.ts';
import { controlSocketPath } from '../../source/host/control/control-path.ts';
import { deploy, fieldOf, type ReadLog, readLogs } from './support/bodies.ts';
import { HostFolder, serving } from './support/host-folder.ts';
import { type Caller, nodeService, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = HostFolder.ofEachTest();

const flooding = nodeService(`let n = 0; const more = () => {
  let text = '';
  for (let k = 0; k < 200; k++) text += 'line ' + n++ + '\\n';
  process.stdout.write(text, () => setTimeout(more, 1));
}; more()`);

/** Follows the log stream of a deployment. Returns the received lines. */
async function follow(caller: Caller, id: string): Promise<readonly ReadLog[]> {
  const client = await ControlClient.connect(controlSocketPath(folder.dataDir));
  const { baseUrl = '' } = (await client?.hello()) ?? {};
  client?.close();
  const url = new URL(logStreamPath, baseUrl.replace('http', 'ws'));
  url.searchParams.set('deploymentId', id);
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${caller.token}` } });
  socket.on('error', () => undefined);
  const lines: ReadLog[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ReadLog;
    if (message.type === 'log') lines.push(message);
  });
  await once(socket, 'open');
  return lines;
}

/** Fetches all lines from an id on, oldest first, page by page. */
async function linesFrom(caller: Caller, id: string, first: number): Promise<readonly ReadLog[]> {
  const [newest] = await readLogs(caller, id, { limit: 1 });
  const pages: (readonly ReadLog[])[] = [];
  let search = newest?.id ?? 0;
  // Counts pages from the newest line, since lines arrive all the time.
  while (search >= first) {
    const [last] = await readLogs(caller, id, { limit: 1 });
    const offset = (last?.id ?? 0) - search;
    const answer = await caller.call('fetchLogs', { id, query: { limit: 10_000, offset } });
    const page = (fieldOf(answer, 'logs') as readonly ReadLog[]).toReversed();
    if (page.length === 0) break;
    pages.unshift(page);
    search = (page[0]?.id ?? 0) - 1;
  }
  const all = new Map(pages.flat().map((line) => [line.id, line]));
  return [...all.values()].filter(({ id: number }) => number >= first).sort((a, b) => a.id - b.id);
}

it('after kill -9 during a flood, every received line is stored, with ids without gaps', async () => {
  const child = folder.run(serving);
  const caller = await folder.caller();
  const { id } = await deploy(caller, sdlOf({ web: flooding }));
  const received = await follow(caller, id);
  await waitFor(() => expect(received.length).toBeGreaterThan(20_000));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const ids = received.map((line) => line.id);
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));

  await folder.start();
  const after = await folder.caller();
  await waitFor(async () => {
    const system = await readLogs(after, id, { search: 'started' });
    expect(system.filter(({ stream }) => stream === 'system')).toHaveLength(2);
  });
  await after.call('closeDeployment', { id });
  const stored = await linesFrom(after, id, ids[0] ?? 0);
  expect(stored.slice(0, received.length)).toEqual(received);
  expect(stored.map((line) => line.id)).toEqual(stored.map((_, index) => (ids[0] ?? 0) + index));
});
