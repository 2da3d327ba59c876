import { expect, test, vi } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { quitPrompt, quitRepeatAfter } from '../../../source/view/shell/quit-commands.ts';
import { openDeck } from '../open-deck.ts';
import { quietTerminal } from '../quiet-terminal.ts';

/** Presses `q` at times in ms after the first press; returns how often the program was quit. */
function pressAt(deck: Deck, ...times: readonly number[]): number {
  const terminal = { ...quietTerminal(), quit: vi.fn() };
  const begin = deck.clock.now();
  const clock = vi.spyOn(deck.clock, 'now');
  for (const time of times) {
    clock.mockReturnValue(begin + time);
    const viewport = { rows: 10, lines: 10 };
    dispatch({ name: 'q', text: 'q' }, { deck, terminal, viewport });
  }
  clock.mockRestore();
  return terminal.quit.mock.calls.length;
}

test('a quick double press of q quits', async () => {
  await using open = await openDeck();
  expect(pressAt(open.deck, 0, quitRepeatAfter)).toBe(1);
});

test('a press that arrives twice at once does not quit, and the next one does', async () => {
  await using open = await openDeck();
  expect(pressAt(open.deck, 0, quitRepeatAfter - 1)).toBe(0);
  expect(open.deck.screen.getState().message?.text).toBe(quitPrompt('app.quit'));
  expect(pressAt(open.deck, quitRepeatAfter)).toBe(1);
});

test('a second press long after the first asks again', async () => {
  await using open = await openDeck();
  expect(pressAt(open.deck, 0, 60_000)).toBe(0);
});

test('quitting asks while a draft could not be saved', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const sentence = "Can't save the draft of app.js: no space left on this machine.";
  deck.drafts.state.setState({ failures: new Map([['app.js', sentence]]) });
  expect(pressAt(deck, 0, quitRepeatAfter)).toBe(0);
  const { overlay } = deck.screen.getState();
  expect(overlay).toMatchObject({ kind: 'question', question: { lines: [sentence] } });
});
