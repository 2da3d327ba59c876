import { expect, it, onTestFinished, vi } from 'vitest';
import { EngineFinder } from '../../../source/host/engine/engine-finder.ts';
import { Isolation } from '../../../source/host/isolation/isolation.ts';
import { createRuntime } from '../../../source/host/make-runtime.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { ContainerRuntime } from '../../../source/host/runtime/container.ts';
import { Ports } from '../../../source/host/runtime/ports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pretendEngine } from './pretended-engine.ts';

/** States of containers that a killed host has left, by their run. */
const states: Readonly<Record<string, unknown>> = {
  running: { Running: true, ExitCode: 0, FinishedAt: '0001-01-01T00:00:00Z' },
  'ended in UTC': { Running: false, ExitCode: 0, FinishedAt: '2030-01-01T00:00:01.25Z' },
  'ended in Berlin': {
    Running: false,
    ExitCode: 1,
    FinishedAt: '2030-01-01T01:00:02.5000001+01:00',
  },
  'never started': { Running: false, ExitCode: 0, FinishedAt: '0001-01-01T00:00:00Z' },
  'without a time': { Running: false, ExitCode: 0 },
  'without a state': {},
};

it('containers that a killed host has left are ended, each with the end that the engine knows', async () => {
  const ended: string[] = [];
  const engine = await pretendEngine((url, response, request) => {
    const [, run = ''] =
      /^\/(?:v[\d.]+\/)?containers\/([^/?]+)/.exec(decodeURIComponent(url)) ?? [];
    if (run === '') return false;
    if (run === 'json') {
      const containers = Object.keys(states).map((name) => ({
        Id: name,
        State: 'exited',
        Labels: { 'hostdeck.run': name },
      }));
      response.end(JSON.stringify(containers));
    } else if (request.method === 'GET' && run in states) {
      response.end(JSON.stringify({ State: states[run], HostConfig: {} }));
    } else if (request.method === 'DELETE') {
      ended.push(run);
      response.writeHead(204).end();
    } else response.writeHead(304).end();
    return true;
  });
  onTestFinished(() => engine.end());
  const finder = new EngineFinder(engine.environment);
  const runtime = new ContainerRuntime(finder, new Ports(1024), 'this-host', () => true);
  expect(await runtime.endOrphans(0)).toEqual([
    { id: 'running' },
    { id: 'ended in UTC', endedAt: Date.UTC(2030, 0, 1, 0, 0, 1, 250) },
    { id: 'ended in Berlin', endedAt: Date.UTC(2030, 0, 1, 0, 0, 2, 500) },
  ]);
  expect(new Set(ended)).toEqual(new Set(Object.keys(states)));
});

it('space of the records is lent before a container is removed, as the disk may be full', async () => {
  const dataDir = temporaryFolder();
  const storage = Storage.open(dataDir);
  const lent = vi.spyOn(storage, 'lendReserve');
  const lentBefore: number[] = [];
  const engine = await pretendEngine((url, response, request) => {
    if (request.method === 'DELETE') {
      lentBefore.push(lent.mock.calls.length);
      response.writeHead(204).end();
    } else if (url.includes('/containers/json')) {
      response.end(JSON.stringify([{ Id: 'left', State: 'running', Labels: {} }]));
    } else if (url.includes('/containers/')) {
      response.end(JSON.stringify({ State: states['running'], HostConfig: {} }));
    } else return false;
    return true;
  });
  onTestFinished(async () => {
    await engine.end();
    storage.close();
  });
  const runtime = createRuntime(
    { runtime: 'container', engineEnvironment: engine.environment },
    {
      storage,
      dataDir,
      identity: 'this-host',
      isolation: new Isolation({ dataDir }),
      firstUserPort: 1024,
      keepsData: () => true,
    },
  );
  await runtime.endOrphans(0);
  expect(lentBefore).toEqual([1]);
});
