import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import { logTimeFormats } from '../../../source/store/log/times.ts';
import type { LogLine } from '../../../source/contract/logs.ts';
import type { GapEntry } from '../../../source/tail/arena/entries.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { detailRows, isDetails } from '../../../source/view/details/details.ts';
import { mainPaneTitle } from '../../../source/view/shell/pane-title.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { press, promptOf, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

/** Opens a deck with the given lines in the sample's log, and focuses the log. */
async function openLog(lines: readonly string[]): Promise<OpenDeck> {
  const open = await openDeck();
  const { deck, foreign } = open;
  for (const line of lines) foreign.append(foreign.sample, 'web', line);
  await waitFor(() => {
    const { entries, log } = deck.opened.getState().tail ?? {};
    expect(log?.state.getState().older).toBe('none');
    const last = entries?.at(entries.length - 1);
    expect(last?.kind === 'line' && last.line.logLine).toBe(lines.at(-1));
  });
  setScreen(deck.screen, { focus: 'main' });
  return open;
}

/** Returns the text of the line under the cursor, or undefined while following. */
function cursorLine({ deck }: OpenDeck): string | undefined {
  const { tail } = deck.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  const entry = tail.entries.at(tail.entries.indexOf(position.cursor));
  return entry?.kind === 'line' ? entry.line.logLine : undefined;
}

const gapThat = (state: GapEntry<LogLine>['state']): GapEntry<LogLine> => ({
  kind: 'gap',
  seq: 1,
  place: 1,
  state,
  after: undefined,
  until: { logLine: 'behind' },
});

const message = ({ deck }: OpenDeck): string | undefined => deck.screen.getState().message?.text;

const lines = ['one', 'ERROR two', 'three', 'ERROR four', 'five'];

test('e and E step to the next error, starting at the newest line while following', async () => {
  await using open = await openLog(lines);
  press(open.deck, 'e');
  await waitFor(() => expect(cursorLine(open)).toBe('ERROR four'));
  press(open.deck, 'E');
  await waitFor(() => expect(cursorLine(open)).toBe('ERROR two'));
  press(open.deck, 'E');
  await waitFor(() => expect(cursorLine(open)).toBe('ERROR two'));
  await said(open.deck, 'No older error.');
  press(open.deck, 'e');
  await waitFor(() => expect(cursorLine(open)).toBe('ERROR four'));
  press(open.deck, 'e');
  await said(open.deck, 'No newer error.');
  press(open.deck, 'G', 'E');
  await waitFor(() => expect(cursorLine(open)).toBe('ERROR four'));
});

test.each([
  ['down', 'the next line'],
  ['G', 'the newest line'],
  ['e', 'the next error'],
])('a message of the last step goes away with a movement by %s to %s', async (key) => {
  await using open = await openLog(lines);
  press(open.deck, 'e');
  await waitFor(() => expect(cursorLine(open)).toBe('ERROR four'));
  press(open.deck, 'E');
  await waitFor(() => expect(cursorLine(open)).toBe('ERROR two'));
  press(open.deck, 'E');
  await said(open.deck, 'No older error.');
  press(open.deck, key);
  await waitFor(() => expect(message(open)).toBeUndefined());
});

test('a movement keeps the messages that are about something else', async () => {
  await using open = await openLog(lines);
  press(open.deck, '4', 'k');
  open.deck.messages.say('Sent 3 B to the clipboard. P prints it.');
  press(open.deck, 'k', 'j', 'G');
  expect(message(open)).toContain('clipboard');
});

test('an error outside the window is shown with lines around it', async () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    index === 20 ? 'ERROR x' : `line ${index}`,
  );
  await using open = await openLog(many);
  const drawn = render(
    <DeckContext value={open.deck}>
      <App />
    </DeckContext>,
  );
  await waitFor(() => expect(drawn.lastFrame()).toContain('line 59'));
  press(open.deck, 'e');
  await waitFor(() =>
    expect(drawn.lastFrame()).toMatch(/line 18\n.*line 19\n>.*ERROR x\n.*line 21/),
  );
  drawn.unmount();
});

test('a log without errors keeps following', async () => {
  await using open = await openLog(['one', 'two']);
  const log = open.deck.opened.getState().tail?.log.state;
  await waitFor(() => expect(log?.getState().older).toBe('none'));
  press(open.deck, 'E');
  await said(open.deck, 'No error.');
  expect(cursorLine(open)).toBeUndefined();
});

test('m marks the line under the cursor, and M steps through the marks', async () => {
  await using open = await openLog(lines);
  press(open.deck, 'M');
  expect(message(open)).toBe('No marks. m marks the line under the cursor.');
  press(open.deck, 'm');
  expect(cursorLine(open)).toBe('five');
  press(open.deck, 'k', 'k', 'm');
  expect(message(open)).toBe('Marked: 2 marks. M goes to the next.');
  const drawn = render(
    <DeckContext value={open.deck}>
      <App />
    </DeckContext>,
  );
  press(open.deck, 'M');
  expect(cursorLine(open)).toBe('five');
  await waitFor(() => expect(drawn.lastFrame()).toMatch(/^\*\S+ web +three/m));
  expect(drawn.lastFrame()).toMatch(/^>\S+ web +five/m);
  drawn.unmount();
  press(open.deck, 'M');
  expect(cursorLine(open)).toBe('three');
  expect(message(open)).toBe('Mark 1 of 2, from the oldest again.');
  press(open.deck, 'm');
  expect(message(open)).toBe('Unmarked: 1 mark. M goes to the next.');
});

test('T goes to a time and reports the time found', async () => {
  await using open = await openLog(lines);
  const { deck } = open;
  press(deck, 'T');
  expect(await promptOf(deck, 'Go to time')).toBe('');
  type(deck, 'noon');
  press(deck, 'enter');
  const problem = () => {
    const { overlay } = deck.screen.getState();
    return overlay?.kind === 'prompt' ? overlay.prompt.outcome?.problem()?.sentence : undefined;
  };
  expect(await promptOf(deck, 'Go to time')).toBe('noon');
  expect(problem()).toMatch(/^Try 12:01, /);
  press(deck, 'backspace');
  expect(problem()).toBeUndefined();
  expect(cursorLine(open)).toBeUndefined();
  press(deck, 'ctrl+u');
  type(deck, '-2d');
  press(deck, 'enter');
  await said(deck, 'The log begins at ');
  expect(cursorLine(open)).toMatch(/started/);
  press(deck, 'T');
  type(deck, '-0s');
  press(deck, 'enter');
  await said(deck, 'No line at or after ');
  expect(cursorLine(open)).toBe('five');
});

test('Esc stops a running search before anything else', async () => {
  await using open = await openLog(lines);
  const { deck } = open;
  setScreen(deck.screen, { fullscreen: true });
  const stopped = vi.fn<() => void>();
  const seek = deck.opened.getState().tail?.reading.seek;
  seek?.begin(stopped).report('Looking');
  const drawn = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  await waitFor(() => expect(drawn.lastFrame()).toContain('Looking'));
  drawn.unmount();
  press(deck, 'escape');
  expect(stopped).toHaveBeenCalledOnce();
  expect(deck.screen.getState().fullscreen).toBe(true);
  seek?.begin(stopped);
  press(deck, 'ctrl+c');
  expect(stopped).toHaveBeenCalledTimes(2);
  expect(deck.screen.getState().leaveAsked).toBeUndefined();
  press(deck, 'escape');
  expect(deck.screen.getState().fullscreen).toBe(false);
});

test('t steps through the time formats and names the current one', async () => {
  await using open = await openLog(['one']);
  const { deck } = open;
  const seen = new Set<string>();
  for (const _ of logTimeFormats) {
    press(deck, 't');
    expect(message(open)).toMatch(/^Time format: /);
    seen.add(deck.screen.getState().times);
  }
  expect(seen.has('relative') && seen.has('off') && seen.has('full')).toBe(true);
});

test('a search step scrolls to its match within a long line, and back to the left', async () => {
  const long = `${'x'.repeat(150_000)} deep needle ${'y'.repeat(50_000)}`;
  await using open = await openLog(['first needle', long, 'last']);
  const { deck } = open;
  const drawn = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  const showsRow = (row: RegExp) => waitFor(() => expect(drawn.lastFrame()).toMatch(row));
  press(deck, '/');
  type(deck, 'needle');
  await showsRow(/^>\S+ web +…x+ deep needle y+…$/m);
  press(deck, 'enter', 'N');
  await showsRow(/^>\S+ web +first needle *$/m);
  expect(deck.screen.getState().logLeft).toBe(0);
  press(deck, 'n');
  await showsRow(/^>\S+ web +…x+ deep needle y+…$/m);
  press(deck, '/', 'escape');
  expect(deck.screen.getState().logLeft).toBeGreaterThan(149_000);
  press(deck, 'w');
  await showsRow(/^x+ deep needle y+$/m);
  press(deck, 'up');
  await showsRow(/^x+ deep needle y+$/m);
  press(deck, 'N');
  await showsRow(/^>\S+ web +first needle *$/m);
  press(deck, 'n');
  await showsRow(/^x+ deep needle y+$/m);
  drawn.unmount();
});

test('the horizontal scroll survives new lines and following again', async () => {
  await using open = await openLog(['0123456789abcdefghij']);
  const { deck, foreign } = open;
  press(deck, 'right');
  const drawn = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  await waitFor(() => expect(drawn.lastFrame()).toMatch(/^ \S+ web +…9abcdefghij/m));
  press(deck, 'k', 'G');
  foreign.append(foreign.sample, 'web', 'ABCDEFGHIJKLMN');
  await waitFor(() => expect(drawn.lastFrame()).toMatch(/^ \S+ web +…JKLMN/m));
  expect(drawn.lastFrame()).toMatch(/^ \S+ web +…9abcdefghij/m);
  drawn.unmount();
});

test('R reports that no gap exists, or that it reconnects', async () => {
  await using open = await openLog(['one']);
  const { deck, foreign } = open;
  press(deck, 'R');
  expect(message(open)).toBe('No gaps to fill.');
  await foreign.close();
  await waitFor(() => {
    expect(deck.opened.getState().tail?.log.state.getState().connection.kind).not.toBe('live');
  });
  press(deck, 'R');
  expect(message(open)).toBe('Reconnecting.');
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  vi.spyOn(tail.entries, 'gaps', 'get').mockReturnValue([
    gapThat({ kind: 'missing', why: 'unanswered' }),
  ]);
  press(deck, 'R');
  expect(message(open)).toBe('Reconnecting and fetching a gap again.');
});

test('R in the details of a gap fetches it again, and the details show it', async () => {
  await using open = await openLog(lines);
  const { deck } = open;
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  let gap = gapThat({ kind: 'missing', why: 'unanswered' });
  vi.spyOn(tail.entries, 'gaps', 'get').mockImplementation(() => [gap]);
  vi.spyOn(tail.entries, 'at').mockImplementation(() => gap);
  const retried = vi.spyOn(tail.log, 'retryGaps').mockImplementation(() => {
    gap = gapThat({ kind: 'filling' });
  });
  const shown = () => {
    const { main } = deck.screen.getState();
    if (!isDetails(main)) throw new Error(`no details but ${main.kind}`);
    const [row] = detailRows(deck, main, deck.clock.now());
    return row?.value;
  };
  press(deck, 'enter');
  expect(shown()).toBe('Lines here could not be fetched.');
  press(deck, 'R');
  expect(retried).toHaveBeenCalledOnce();
  expect(message(open)).toBe('Fetching a gap again.');
  expect(shown()).toBe('Lines here are being fetched.');
});

test('R counts the gaps that it can fetch, and the details of others offer no retry', async () => {
  await using open = await openLog(lines);
  const { deck } = open;
  const entries = deck.opened.getState().tail?.entries;
  if (entries === undefined) throw new Error('no log is open');
  vi.spyOn(entries, 'gaps', 'get').mockReturnValue([
    gapThat({ kind: 'missing', why: 'dropped' }),
    gapThat({ kind: 'missing', why: 'gone' }),
    gapThat({ kind: 'missing', why: 'renumbered' }),
    gapThat({ kind: 'missing', why: 'unanswered' }),
  ]);
  press(deck, 'R');
  expect(message(open)).toBe('Fetching a gap again.');
  const entry = gapThat({ kind: 'missing', why: 'dropped' });
  setScreen(deck.screen, { main: { kind: 'line', entry, deploymentId: 'd' } });
  expect(mainPaneTitle(deck, true)).toBe('4 Details gap');
});
