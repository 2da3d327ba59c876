import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../source/client/client.ts';
import { exitCodes } from '../../../source/commands/exit-codes.ts';
import { type Foreign, startForeign } from '../../servers/foreign.ts';
import { type MeddlingProxy, startMeddlingProxy } from '../../servers/meddling-proxy.ts';
import { systemClock } from '../../support/system-clock.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startLogs } from './run-logs.ts';

test.each([429, 500])(
  'live lines go on when history answers %i, and it is written when it comes',
  async (status) => {
    const foreign = await startForeign();
    const earlier = foreign.lines(foreign.sample).length;
    expect(earlier).toBeGreaterThan(0);
    let isBroken = true;
    const running = await followThrough(
      foreign,
      ({ path }) => (isBroken && path.endsWith('/logs') ? { status } : 'pass'),
      earlier,
    );
    await waitFor(() => expect(foreign.streams()).toBe(1));
    foreign.append(foreign.sample, 'web', 'live 1');
    await waitFor(() => expect(running.lines().map(textOf)).toEqual(['live 1']));
    expect(running.notes()).toEqual(['No history came within 0.1 s. Going on with live lines.']);
    isBroken = false;
    await waitFor(() => expect(running.lines()).toHaveLength(earlier + 1));
    foreign.append(foreign.sample, 'web', 'live 2');
    await waitFor(() => expect(running.lines().at(-1)).toMatch(/live 2$/));
    expect(running.lines()).toHaveLength(earlier + 2);
    running.interrupt();
    expect(await running.exit).toBe(exitCodes.interrupted);
  },
);

test('of a history that comes late, the wanted lines alone are written, in their order', async () => {
  const foreign = await startForeign({ logOrder: 'oldest', largestLogPage: 20 });
  const isAnswered = Promise.withResolvers<void>();
  const earlier = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
  for (const text of earlier) foreign.append(foreign.sample, 'web', text);
  const running = await followThrough(
    foreign,
    async ({ path }) => {
      if (path.endsWith('/logs')) await isAnswered.promise;
      return 'pass' as const;
    },
    50,
  );
  await waitFor(() => expect(foreign.streams()).toBe(1));
  foreign.append(foreign.sample, 'web', 'live 1');
  await waitFor(() => expect(running.lines().map(textOf)).toEqual(['live 1']));
  isAnswered.resolve();
  const wanted = earlier.slice(-50);
  await waitFor(() => expect(running.lines().map(textOf)).toContain(wanted[0]));
  foreign.append(foreign.sample, 'web', 'live 2');
  await waitFor(() => expect(running.lines().at(-1)).toMatch(/live 2$/));
  expect(running.lines().map(textOf)).toEqual(['live 1', ...wanted, 'live 2']);
  expect(running.notes()).toEqual([
    'No history came within 0.1 s. Going on with live lines.',
    'The next lines are earlier ones that came later.',
  ]);
  running.interrupt();
  expect(await running.exit).toBe(exitCodes.interrupted);
});

/** Follows the log of a service whose answers a proxy changes, with `--backfill`. Closes all at the end of the test. */
async function followThrough(foreign: Foreign, meddle: MeddlingProxy['meddle'], limit: number) {
  const proxy = await startMeddlingProxy(foreign.baseUrl);
  proxy.meddle = meddle;
  const client = createClient({ baseUrl: proxy.baseUrl, token: foreign.token });
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
    await foreign.close();
  });
  return startLogs({
    client,
    clock: systemClock,
    random: () => 0,
    id: foreign.sample,
    follow: true,
    limit,
    historyTimeout: 100,
    backfill: true,
    json: false,
  });
}

function textOf(line: string): string {
  return line.replace(/^.*? {2}/, '');
}
