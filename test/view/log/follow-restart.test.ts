import { expect, test, vi } from 'vitest';
import { openDeck } from '../open-deck.ts';
import { press, said } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

async function openPaused() {
  const open = await openDeck();
  const { deck, foreign } = open;
  for (const text of ['one', 'two', 'three']) foreign.append(foreign.sample, 'web', text);
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  await waitFor(() => expect(tail.entries.length).toBeGreaterThan(2));
  press(deck, '4', 'k', '2');
  const position = () => tail.view.position.getState().kind;
  expect(position()).toBe('frozen');
  const restart = async () => {
    deck.restarts.restart(foreign.sample);
    await waitFor(() => expect(tail.restarts.getState()).not.toEqual([]));
  };
  return { ...open, position, restart };
}

test('^T after a restart shows the log that follows, and says so', async () => {
  const { deck, position, restart, ...open } = await openPaused();
  await using _ = open;
  await restart();
  press(deck, 'ctrl+t');
  expect(position()).toBe('following');
  await said(deck, 'the log follows again.');
});

test('^T without a restart, or long after it, keeps the place of the reader', async () => {
  const { deck, position, restart, ...open } = await openPaused();
  await using _ = open;
  press(deck, 'ctrl+t', 'ctrl+t');
  expect(position()).toBe('frozen');
  await restart();
  const later = deck.clock.serviceNow() + 120_000;
  vi.spyOn(deck.clock, 'serviceNow').mockReturnValue(later);
  press(deck, 'ctrl+t');
  expect(position()).toBe('frozen');
});
