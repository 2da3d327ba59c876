import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.ts';

test('deployments restart --wait ends with 1 and the reason when the service undid the restart', async () => {
  let isUndone = false;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/restart') === true) isUndone = true;
    const deployment = {
      id: 'shop-1',
      name: 'shop',
      state: 'active',
      services: [],
      restartedAt: isUndone ? '2030-01-02T00:00:00Z' : '2030-01-01T00:00:00Z',
      rolledBack: isUndone ? { at: '2030-01-02T00:01:00Z', reason: 'web exited 1' } : undefined,
    };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ success: true, deployments: [deployment], deployment, logs: [] }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const end = await runCommand({ baseUrl, token: 't' }, [
    'deployments',
    'restart',
    'shop',
    '--wait',
  ]);
  expect(end.code).toBe(1);
  expect(end.stderr).toContain(
    'The restart of shop was undone, and the version before runs: web exited 1.',
  );
});
