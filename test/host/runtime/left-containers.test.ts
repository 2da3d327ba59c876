import { expect, it, onTestFinished } from 'vitest';
import { EngineFinder } from '../../../source/host/engine/engine-finder.ts';
import { ContainerRuntime } from '../../../source/host/runtime/container.ts';
import { Ports } from '../../../source/host/runtime/ports.ts';
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
  const runtime = new ContainerRuntime(finder, new Ports(1024), 'this-host');
  expect(await runtime.endOrphans(0)).toEqual([
    { id: 'running' },
    { id: 'ended in UTC', endedAt: Date.UTC(2030, 0, 1, 0, 0, 1, 250) },
    { id: 'ended in Berlin', endedAt: Date.UTC(2030, 0, 1, 0, 0, 2, 500) },
  ]);
  expect(new Set(ended)).toEqual(new Set(Object.keys(states)));
});
