import { render } from 'ink-testing-library';
import { expect, onTestFinished, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { click } from '../../../source/view/shell/click.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { paneViewport } from '../../../source/view/shell/viewport.ts';
import { DiffPane } from '../../../source/view/editor/diff-pane.tsx';
import { quietTerminal } from '../quiet-terminal.ts';
import { type OpenDeck, openDeck } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

const terminal = quietTerminal();
const size = { columns: 100, rows: 12 };

function press(deck: Deck, ...names: readonly string[]): void {
  for (const name of names) {
    const text = name.length === 1 ? { text: name } : {};
    const viewport = paneViewport(deck, size);
    dispatch({ name, ...text }, { deck, terminal, viewport });
  }
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

/** Drafts a change of the first, the 20th and the last of 40 lines. */
function leaveDraft({ deck, foreign }: OpenDeck, path = 'index.html'): void {
  const text = lines(40);
  foreign.put(foreign.sample, 'web', path, text.join(''));
  const draft = text.with(0, 'first\n').with(19, 'twentieth\n').with(39, 'last\n').join('');
  const place = { deploymentId: foreign.sample, service: 'web', path };
  deck.drafts.typed(place, () => ({ text: draft, base: text.join('') }));
}

function goToFile({ screen }: Deck, path = 'index.html'): void {
  setScreen(screen, ({ cursors }) => ({
    focus: 'files',
    cursors: { ...cursors, files: { id: path, index: 0 } },
  }));
}

async function pressD(open: OpenDeck): Promise<void> {
  leaveDraft(open);
  goToFile(open.deck);
  press(open.deck, 'D');
  await waitFor(() => expect(open.deck.screen.getState().main.kind).toBe('diff'));
}

test('a click marks a row of the difference; steps start there, and the next one marks a change', async () => {
  await using open = await openDeck();
  await pressD(open);
  const rows = drawPane(open.deck, 100, 10);
  const clickRow = (index: number) =>
    click(open.deck, { kind: 'diff-row', sides: '', index }, registeredCommands, false);
  const marked = () => rows().filter((row) => row.startsWith('>'));
  await waitFor(() => expect(open.deck.editor.difference.state.getState().beside).toBe(false));
  clickRow(3);
  await waitFor(() => expect(marked()).toEqual(['> 3  3   line 3']));
  press(open.deck, 'n');
  await waitFor(() => expect(marked()).toHaveLength(1));
  expect(open.deck.editor.difference.state.getState()).toMatchObject({ change: 1, row: undefined });
  press(open.deck, 'N');
  clickRow(3);
  press(open.deck, 'N');
  expect(open.deck.editor.difference.state.getState()).toMatchObject({ change: 0, row: undefined });
});

/** Draws pane 4 in a size and returns its rows without trailing spaces. */
function drawPane(deck: Deck, width: number, height: number) {
  const drawn = render(
    <DeckContext value={deck}>
      <DiffPane width={width} height={height} focused />
    </DeckContext>,
  );
  onTestFinished(() => drawn.unmount());
  return () => (drawn.lastFrame() ?? '').split('\n').map((row) => row.trimEnd());
}

test('D compares the draft of the file under the cursor with the service', async () => {
  await using open = await openDeck();
  await pressD(open);
  const app = render(
    <DeckContext value={open.deck}>
      <App />
    </DeckContext>,
  );
  const screen = app.lastFrame() ?? '';
  expect(screen).toContain('[4 Diff index.html: draft against service]');
  expect(screen).toMatch(/^ - service at \S+ {2}\+ draft of \S+ {2}\+3 -3 lines$/m);
  expect(screen).toMatch(/^change 1 of 3$/m);
  expect(screen).toMatch(/^n next {2}N previous /m);
  app.unmount();
});

test('a narrow pane draws unified rows and marks the current change', async () => {
  await using open = await openDeck();
  await pressD(open);
  const rows = drawPane(open.deck, 100, 8);
  const underlined = (text: string) => `\x1b[4m${text}\x1b[24m`;
  expect(rows().slice(1)).toEqual([
    `> 1    - ${underlined('line 1')}`,
    `     1 + ${underlined('first')}`,
    '  2  2   line 2',
    '  3  3   line 3',
    '  4  4   line 4',
    ' -- 12 equal lines --',
    ' 17 17   line 17',
  ]);
});

test('n and N step between changes and report the ends', async () => {
  await using open = await openDeck();
  await pressD(open);
  const { editor, screen } = open.deck;
  const { difference } = editor;
  const change = () => difference.state.getState().change;
  press(open.deck, 'n', 'n');
  expect(change()).toBe(2);
  press(open.deck, 'n');
  expect(change()).toBe(2);
  expect(screen.getState().message?.text).toBe('This is the last change.');
  press(open.deck, 'N');
  expect(screen.getState().message).toBeUndefined();
  press(open.deck, 'N', 'N');
  expect(change()).toBe(0);
  expect(screen.getState().message?.text).toBe('This is the first change.');
});

test('it scrolls like the viewer, but not beyond its last row', async () => {
  await using open = await openDeck();
  await pressD(open);
  const { screen } = open.deck;
  const top = () => screen.getState().scroll.top;
  const { rows, lines: count } = paneViewport(open.deck, size);
  press(open.deck, 'j', 'j', 'k');
  expect(top()).toBe(1);
  press(open.deck, 'G', 'j', 'space');
  expect(top()).toBe(Math.max(0, count - rows));
  press(open.deck, 'g', 'right');
  expect(screen.getState().scroll).toEqual({ top: 0, left: 8 });
});

test('a wide pane draws the sides side by side, at the same lines', async () => {
  await using open = await openDeck();
  await pressD(open);
  const { screen } = open.deck;
  const app = (width: number) => (
    <DeckContext value={open.deck}>
      <DiffPane width={width} height={6} focused />
    </DeckContext>
  );
  const drawn = render(app(100));
  onTestFinished(() => drawn.unmount());
  const top = () => screen.getState().scroll.top;
  setScreen(screen, { scroll: { top: 12, left: 0 } });
  drawn.rerender(app(150));
  await waitFor(() => expect(top()).toBe(11));
  drawn.rerender(app(100));
  await waitFor(() => expect(top()).toBe(12));
});

test('q returns to the unchanged view below', async () => {
  await using open = await openDeck();
  const { deck } = open;
  leaveDraft(open);
  goToFile(deck);
  press(deck, 'enter');
  await waitFor(() => expect(deck.files.state.getState().opened?.body).toBeDefined());
  press(deck, 'j', 'j', 'j', 'D');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('diff'));
  press(deck, 'n', 'q');
  expect(deck.screen.getState()).toMatchObject({
    main: { kind: 'file' },
    focus: 'main',
    scroll: { top: 3, left: 0 },
  });
  expect(deck.files.state.getState().opened?.path).toBe('index.html');
  expect(deck.editor.difference.state.getState().shown).toBeUndefined();
  press(deck, 'escape');
  expect(deck.screen.getState()).toMatchObject({ main: { kind: 'logs' }, focus: 'files' });
});

test('another deployment closes the viewer below it too', async () => {
  await using open = await openDeck();
  const { deck } = open;
  leaveDraft(open);
  goToFile(deck);
  press(deck, 'enter');
  await waitFor(() => expect(deck.files.state.getState().opened?.body).toBeDefined());
  press(deck, 'D');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('diff'));
  deck.opened.open('another');
  expect(deck.screen.getState().main.kind).toBe('logs');
  expect(deck.files.state.getState().opened).toBeUndefined();
});

test('the log opens over a difference and returns to it, and q to the editor below', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const look = { show: (cluster: string) => cluster, measure: (shown: string) => shown.length };
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  await deck.editor.open(place, look);
  setScreen(deck.screen, { focus: 'main', main: { kind: 'editor' } });
  deck.screen.view.openDiff();
  press(deck, 'ctrl+t');
  expect(deck.screen.getState().main).toEqual({ kind: 'logs' });
  press(deck, 'ctrl+t');
  expect(deck.screen.getState().main).toEqual({ kind: 'diff' });
  press(deck, 'q');
  expect(deck.screen.getState()).toMatchObject({ main: { kind: 'editor' }, focus: 'main' });
});

test('a rough comparison is labelled in 80 columns too', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const text = lines(30_000);
  foreign.put(foreign.sample, 'web', 'index.html', text.join(''));
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  const draft = text.map((line) => `x${line}`).join('');
  deck.drafts.typed(place, () => ({ text: draft, base: undefined }));
  goToFile(deck);
  press(deck, 'D');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('diff'));
  expect(drawPane(deck, 80, 5)()[0]).toMatch(/ {2}compared roughly {2}\+30,000 -30/);
});

test('without a draft the view stays and a message explains why', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck);
  press(deck, 'D');
  await waitFor(() => expect(deck.screen.getState().message?.text).toBe('No draft of index.html.'));
  expect(deck.screen.getState().main.kind).toBe('logs');
});

test('a comparison does not cover a view opened meanwhile', async () => {
  await using open = await openDeck();
  const { deck } = open;
  leaveDraft(open);
  goToFile(deck);
  press(deck, 'D', '1');
  await waitFor(() =>
    expect(deck.screen.getState().message?.text).toBe('Comparing index.html was cancelled.'),
  );
  expect(deck.screen.getState()).toMatchObject({ focus: 'deployments', main: { kind: 'logs' } });
});

test('R compares again with the current file', async () => {
  await using open = await openDeck();
  await pressD(open);
  const { deck, foreign } = open;
  press(deck, 'n');
  foreign.put(foreign.sample, 'web', 'index.html', lines(40).with(0, 'first\n').join(''));
  press(deck, 'R');
  const counts = () => deck.editor.difference.state.getState().shown?.comparison.counts;
  await waitFor(() => expect(counts()).toEqual({ added: 2, removed: 2 }));
  expect(deck.editor.difference.state.getState().change).toBe(0);
});

test('only the visible rows of 50,000 are drawn', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const text = lines(50_000);
  foreign.put(foreign.sample, 'web', 'index.html', text.join(''));
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  const draft = text.map((line, index) => (index % 2 === 0 ? line : `x${line}`)).join('');
  deck.drafts.typed(place, () => ({ text: draft, base: undefined }));
  goToFile(deck);
  press(deck, 'D');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('diff'));
  press(deck, 'G');
  const rows = drawPane(deck, 80, 21);
  expect(rows()).toHaveLength(21);
  expect(rows().at(-1)).toBe('       50000 + xline 50000');
});
