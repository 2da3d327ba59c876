import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.ts';

/** A service that undoes each restart, at a time by its clock, after a rollout of some ms. */
async function startUndoing(
  rolloutMs = 0,
): Promise<{ readonly baseUrl: string; readonly token: string }> {
  let restartedAt: number | undefined;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/restart') === true) restartedAt = Date.now();
    const isRollingOut = restartedAt !== undefined && Date.now() < restartedAt + rolloutMs;
    const deployment = {
      id: 'shop-1',
      name: 'shop',
      state: isRollingOut ? 'restarting' : 'active',
      services: [],
      restartedAt: new Date(restartedAt ?? 0).toISOString(),
      rolledBack: !isRollingOut &&
        restartedAt && { at: new Date(restartedAt + 5000), reason: 'web exited 1' },
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
  return { baseUrl, token: 't' };
}

test.each([0, 300])(
  'deployments restart --wait ends with 1 and the reason when the service undid the restart after %d ms',
  async (rolloutMs) => {
    const service = await startUndoing(rolloutMs);
    const end = await runCommand(service, ['deployments', 'restart', 'shop', '--wait']);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain(
      'The restart of shop was undone, and the version before runs: web exited 1.',
    );
  },
);

test('deployments restart --prove ends with 6 and the reason when the service undid the restart', async () => {
  const service = await startUndoing();
  const end = await runCommand(service, ['deployments', 'restart', 'shop', '--prove'], {
    proof: 30,
  });
  expect(end.code).toBe(6);
  expect(end.stdout).toMatch(
    /^shop is worse since [\d:]{8}: the restart was undone \(web exited 1\)\.$/m,
  );
});

test('deployments restart --prove waits for a rollout that takes longer than the proof, and says so', async () => {
  const service = await startUndoing(4000);
  const end = await runCommand(service, ['deployments', 'restart', 'shop', '--prove'], {
    proof: 1,
  });
  expect(end.stderr).toContain(
    'shop is still restarting. The verdict waits for the end of that.\n',
  );
  expect(end.stdout).toContain('the restart was undone (web exited 1)');
});
