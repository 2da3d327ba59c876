import { render } from 'ink';
import { expect, onTestFinished, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { Spending } from '../../../source/store/grants/spending.ts';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { setScreen } from '../../support/set-screen.ts';
import { waitFor } from '../../support/wait-for.ts';
import { FakeInput, FakeOutput } from '../../terminal/fake-terminal.ts';
import { openDeck } from '../open-deck.ts';

/** Draws the deck in a terminal of this size; returns the rows of the newest frame. */
function draw(deck: Deck, columns: number, rows: number): () => readonly string[] {
  const stdout = Object.assign(new FakeOutput(), { columns, rows });
  const app = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
    {
      stdin: new FakeInput().asStream(),
      stdout: stdout.asStream(),
      debug: true,
      patchConsole: false,
      exitOnCtrlC: false,
      interactive: true,
    },
  );
  onTestFinished(() => app.unmount());
  return () => {
    const { written } = stdout;
    return written.slice(written.lastIndexOf('test 127.0.0.1')).split('\n');
  };
}

/** Opens a deck whose grants spend this much. */
async function openSpending(spending: Spending | undefined): Promise<Deck> {
  const { deck, ...open } = await openDeck();
  onTestFinished(() => open[Symbol.asyncDispose]());
  const rates = { ...deck.grants.rates, total: () => spending };
  return { ...deck, grants: { ...deck.grants, rates } };
}

const spending = { rate: 2.16, outIn: 11.3 * 3_600_000 };

test('rate and runway are at the right of the title of the grants', async () => {
  const deck = await openSpending(spending);
  const rows = draw(deck, 120, 36);
  await waitFor(() =>
    expect(rows()).toContainEqual(
      expect.stringMatching(/^─ 3 Grants 0 ─+ 2\.16\/h, out in 11h ─┤/),
    ),
  );
  setScreen(deck.screen, { focus: 'grants', fullscreen: true });
  await waitFor(() => expect(rows()[1]).toMatch(/^\[3 Grants 0\] ─+ 2\.16\/h, out in 11h ─$/));
});

test('in the tabs they replace the state of the log while the grants have the focus', async () => {
  const deck = await openSpending(spending);
  const rows = draw(deck, 80, 24);
  await waitFor(() => expect(rows()[1]).toMatch(/ live \d+\/s$/));
  setScreen(deck.screen, { focus: 'grants' });
  await waitFor(() => expect(rows()[1]).toMatch(/\[3 Grants 0\].* 2\.16\/h, out in 11h$/));
  expect(rows()[1]).not.toContain('live');
  setScreen(deck.screen, { focus: 'files' });
  await waitFor(() => expect(rows()[1]).toMatch(/ live \d+\/s$/));
});

test('an unknown rate leaves the state of the log in the tabs', async () => {
  const deck = await openSpending(undefined);
  setScreen(deck.screen, { focus: 'grants' });
  const rows = draw(deck, 80, 24);
  await waitFor(() => expect(rows()[1]).toMatch(/\[3 Grants 0\].* live \d+\/s$/));
});
