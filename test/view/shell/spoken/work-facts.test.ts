import { expect, test } from 'vitest';
import type { Transfer } from '../../../../source/store/deck/screen/transfer.ts';
import { workFacts } from '../../../../source/view/shell/spoken/work-facts.ts';
import { openDeck } from '../../open-deck.ts';

test('a transfer is said at its start and at each quarter, not for each part of it', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const values = new Set<string>();
  for (let bytesDone = 0; bytesDone <= 1000; bytesDone += 1) {
    const progress = { files: 1, filesDone: 0, bytes: 1000, bytesDone, current: undefined };
    const transfer: Transfer = { verb: 'Uploading', progress, cancel() {} };
    deck.screen.transfer.show(transfer);
    const [fact] = workFacts(deck);
    values.add(fact?.value ?? '');
    expect(fact?.text).toMatch(/^Uploading 1 of 1, /);
  }
  expect(values.size).toBe(5);
  deck.screen.transfer.end();
  expect(workFacts(deck)).toEqual([]);
});
