import { expect, it } from 'vitest';
import { startSurvivingHost } from '../faults/surviving-host.ts';
import { runDuel } from './duel.ts';

it('loses nothing and sends nothing twice in the first seconds of `npm run duel`', async () => {
  await using host = await startSurvivingHost();
  const { broken, figures } = await runDuel(host, { seed: 1, milliseconds: 5000 });
  expect(broken).toEqual([]);
  expect(figures['word']).toBeGreaterThan(0);
});
