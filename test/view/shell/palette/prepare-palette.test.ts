import { expect, test } from 'vitest';
import type { ForeignDeployment } from '../../../servers/foreign/deployments.ts';
import { prepareDeployments } from '../../../../source/view/shell/palette/palette.ts';
import { preparePalette } from '../../../../source/view/shell/palette/prepare-palette.ts';
import { nextTurn } from '../../../../source/client/decode/long-list.ts';
import { createTestClock } from '../../../support/clock.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { openDeck } from '../../open-deck.ts';

test.each([
  ['is ready for a long list before it opens', 2000, true],
  ['is left alone while the list is short', 500, false],
])('the palette %s', async (_, count, isReady) => {
  await using open = await openDeck({}, (foreign) => {
    const deployments = foreign.deployments as Map<string, ForeignDeployment>;
    for (const one of [...deployments.values()].slice(0, 1)) {
      for (let index = 1; index < count; index += 1) {
        deployments.set(`id-${index}`, { ...one, id: `id-${index}`, title: `shop-${index}` });
      }
    }
  });
  const clock = createTestClock();
  let turns = 0;
  const workTurn = (): Promise<void> => {
    turns += 1;
    return nextTurn();
  };
  const keyPause = { ...open.deck.keyPause, workTurn };
  const deck = { ...open.deck, keyPause, clock: { ...open.deck.clock, ...clock } };
  const stop = preparePalette(deck);
  await clock.advance(1000);
  if (isReady) {
    // Its first part waits for the palette to load; the parts are done when nothing takes a turn.
    await waitFor(() => expect(turns).toBeGreaterThan(1));
    for (let before = 0; before < turns; await nextTurn()) {
      before = turns;
      await nextTurn();
    }
  }
  expect(prepareDeployments(deck)).toBe(!isReady);
  expect(turns > 0).toBe(isReady);
  stop();
});
