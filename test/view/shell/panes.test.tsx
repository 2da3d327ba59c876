import { render } from 'ink';
import { expect, onTestFinished, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { ColourDepth } from '../../../source/terminal/screen/colour.ts';
import type { Spending } from '../../../source/store/grants/spending.ts';
import { DeckContext, ThemeContext } from '../../../source/view/parts/context.ts';
import { plainTheme } from '../../../source/view/text/resolve-theme.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { themeOf } from '../../support/themes.ts';
import { setScreen } from '../../support/set-screen.ts';
import { waitFor } from '../../support/wait-for.ts';
import { FakeInput, FakeOutput } from '../../terminal/fake-terminal.ts';
import { openDeck } from '../open-deck.ts';

/** Draws the deck in a terminal of this size; returns the rows of the newest frame. */
function draw(
  deck: Deck,
  columns: number,
  rows: number,
  colours?: ColourDepth,
): () => readonly string[] {
  const stdout = Object.assign(new FakeOutput(), { columns, rows });
  const app = render(
    <DeckContext value={deck}>
      <ThemeContext value={colours === undefined ? plainTheme : themeOf('auto', colours)}>
        <App />
      </ThemeContext>
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
    return written.slice(written.lastIndexOf('127.0.0.1')).split('\n');
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
    expect(rows()).toContainEqual(expect.stringMatching(/^ 3 Grants 0 ─+ 2\.16\/h, out in 11h ─┤/)),
  );
  setScreen(deck.screen, { focus: 'grants', fullscreen: true });
  await waitFor(() => expect(rows()[1]).toMatch(/^\[3 Grants 0\] ━+ 2\.16\/h, out in 11h ━$/));
});

test('in the tabs they replace the state of the log while the grants have the focus', async () => {
  const deck = await openSpending(spending);
  const rows = draw(deck, 80, 24);
  await waitFor(() => expect(rows()[1]).toMatch(/ live \d+\/s, 1 other$/));
  setScreen(deck.screen, { focus: 'grants' });
  await waitFor(() => expect(rows()[1]).toMatch(/\[3 Grants 0\].* 2\.16\/h, out in 11h$/));
  expect(rows()[1]).not.toContain('live');
  setScreen(deck.screen, { focus: 'files' });
  await waitFor(() => expect(rows()[1]).toMatch(/ live \d+\/s, 1 other$/));
});

test('an unknown rate leaves the state of the log in the tabs', async () => {
  const deck = await openSpending(undefined);
  setScreen(deck.screen, { focus: 'grants' });
  const rows = draw(deck, 80, 24);
  await waitFor(() =>
    expect(rows()[1]).toMatch(/\[3 Grants 0\].* live \d+\/s(?: since \S+)?, 1 other$/),
  );
});

/** SGR codes of the row that contains this text; empty for a row without styles. */
function codesOf(rows: readonly string[], text: string): readonly string[] {
  const [, ...parts] = rows.find((row) => row.includes(text))?.split('\u001B[') ?? [];
  return parts.map((part) => part.slice(0, part.indexOf('m')));
}

test('only the focused pane draws the cursor sign', async () => {
  const deck = await openSpending(undefined);
  setScreen(deck.screen, { focus: 'deployments' });
  const rows = draw(deck, 120, 36);
  await waitFor(() => expect(rows().join('\n')).toMatch(/^>o bazaar /m));
  expect(rows().join('\n')).toMatch(/^ {3}- config\//m);
  setScreen(deck.screen, { focus: 'files' });
  await waitFor(() => expect(rows().join('\n')).toMatch(/^> {2}- config\//m));
  expect(rows().join('\n')).toMatch(/^ o bazaar /m);
});

test('the cursor of a pane without the focus is underlined, with colours only', async () => {
  const deck = await openSpending(undefined);
  setScreen(deck.screen, { focus: 'deployments' });
  const coloured = draw(deck, 120, 36, '16');
  await waitFor(() => expect(codesOf(coloured(), '- config/')).toContain('4'));
  expect(codesOf(coloured(), 'bazaar  ')).not.toContain('4');
  expect(codesOf(coloured(), 'bazaar  ')).toContain('7');
  const plain = draw(deck, 120, 36, 'none');
  await waitFor(() => expect(plain().join('\n')).toContain('- config/'));
  expect(codesOf(plain(), '- config/')).toEqual([]);
});

test('the state of the log shortens no title of another view', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const rows = draw(deck, 40, 12);
  setScreen(deck.screen, { focus: 'main' });
  await waitFor(() => expect(rows().join('\n')).toContain(' live 0/s'));
  const id = 'd0ae6436-7a4f-4eb8-8a09-55527cc5147a-4701';
  setScreen(deck.screen, { focus: 'main', main: { kind: 'deployment', id } });
  await waitFor(() => expect(rows().join('\n')).toContain('[4 Details d0ae64..7a-4701]'));
});
