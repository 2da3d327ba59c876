import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { EngineFinder } from '../../../source/host/engine/engine-finder.ts';
import { ContainerRun } from '../../../source/host/runtime/container-run.ts';
import { pretendEngine } from './pretended-engine.ts';

it('a container that the engine does not remove at once is removed a little later', async () => {
  const refusals = 2;
  const steps: string[] = [];
  const removed = Promise.withResolvers<void>();
  const engine = await pretendEngine((url, response, request) => {
    if (request.method === 'DELETE') {
      const isRefused = steps.filter((step) => step === 'refused').length < refusals;
      steps.push(isRefused ? 'refused' : 'removed');
      response.writeHead(isRefused ? 500 : 204).end();
      if (!isRefused) removed.resolve();
      return true;
    }
    if (!url.includes('/containers/full/json')) return false;
    const state = { Running: false, ExitCode: 137, FinishedAt: '2030-01-01T00:00:01Z' };
    response.end(JSON.stringify({ State: state, HostConfig: {} }));
    return true;
  });
  onTestFinished(() => engine.end());
  const client = await new EngineFinder(engine.environment).find();
  if ('failure' in client) throw new Error(client.failure);
  const output = new PassThrough();
  output.end();
  const run = new ContainerRun({
    client,
    run: 'run',
    id: 'full',
    output,
    exit: Promise.resolve(true),
    port: undefined,
    request: { onLines: () => undefined, onEvent: () => undefined },
    beforeRemoval: () => steps.push('space made'),
    onOver: (isGone) => steps.push(isGone ? 'over and gone' : 'over'),
  });
  expect(await run.ended).toMatchObject({ code: 137 });
  await removed.promise;
  const [first, second] = ['space made refused over', 'space made refused space made removed'];
  expect(steps.join(' ')).toBe(`${first} ${second}`);
});
