import * as fc from 'fast-check';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import type { ServiceError } from '../../../source/client/http/errors.ts';
import { prompting } from '../../../source/store/prompts/prompt.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { filterHints } from '../../../source/view/shell/filter-row.tsx';
import { findHints } from '../../../source/view/editor/find-row.tsx';
import { promptHints } from '../../../source/view/shell/prompts/prompt-row.tsx';
import { lineWidth } from '../../../source/view/text/fit.ts';
import { hintLine } from '../../../source/view/text/hints.ts';
import { type Line, plain } from '../../../source/view/text/line.ts';
import { timeHints } from '../../../source/view/log/navigation.ts';
import { exportHints } from '../../../source/view/log/export.ts';
import {
  coversKeys,
  historyHint,
  messageLine,
  messageRows,
} from '../../../source/view/shell/message.ts';
import { openDeck } from '../open-deck.ts';
import { press, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

const textOf = (line: Line | undefined) => (line ?? []).map((part) => part.text).join('');

test('a message that fits leaves the second row to the keys', () => {
  expect(messageRows(plain('Moved a to b.'), 80)).toHaveLength(1);
  expect(messageRows([], 80)).toHaveLength(1);
});

test('a message that does not fit its row continues in the second', () => {
  const said =
    'No answer from api.example.com: app.yaml may not have been saved. Draft kept; ^S retries.';
  const [first, second] = messageRows(plain(said), 80);
  expect(textOf(first)).toBe(
    'No answer from api.example.com: app.yaml may not have been saved. Draft kept; ^S',
  );
  expect(textOf(second).trim()).toBe('retries.');
});

test('a long message leaves the second row to the keys after ten seconds', () => {
  const text =
    'api.example.com refused the connection. Check the base URL and that the service is running, then try again.';
  const message = { text, tone: 'bad', at: 1000 } as const;
  expect(coversKeys(message, 10_999)).toBe(true);
  expect(coversKeys(message, 11_000)).toBe(false);
  // The notice of an unreachable service stays as long as that lasts.
  expect(coversKeys(undefined, 0)).toBe(false);
  const [row, second] = messageRows(plain(text), 80, false);
  expect(textOf(row)).toMatch(/^api\.example\.com refused the connection\. .*… :history$/);
  expect(lineWidth(row)).toBeLessThanOrEqual(80);
  expect(second).toBeUndefined();
  expect(textOf(messageRows(plain(text), 24, false)[0])).toBe('api.example.com refused…');
  expect(messageRows(plain('Moved a to b.'), 80, false)).toEqual([plain('Moved a to b.')]);
});

test('a message that fits two rows is shown whole', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 10 }),
      (words) => {
        const [first, second] = messageRows(plain(words.join(' ')), 70);
        expect(lineWidth(first)).toBeLessThanOrEqual(70);
        expect(`${textOf(first)} ${textOf(second)}`.trim()).toBe(words.join(' '));
      },
    ),
  );
});

test('a message that replaces an unread error points to the history and stays', () => {
  const message = { text: 'Saved a.', tone: 'plain', at: 0, unread: 2 } as const;
  const line = messageLine(message, { kind: 'up' }, 60_000);
  expect(textOf(line)).toBe('Saved a. 2 more: :history');
  // There, the colon would be typed.
  const inFile = messageLine(message, { kind: 'up' }, 60_000, 80, historyHint(true));
  expect(textOf(inFile)).toBe('Saved a. 2 more: F2 history');
});

test('a message hides the notice of an unreachable service only if both do not fit', () => {
  const text = 'The log begins at 12:00:01, after 11:00.';
  const message = { text, tone: 'plain', at: 0 } as const;
  const error: ServiceError = {
    code: 'refused',
    operation: 'list deployments',
    sentence: 'Refused.',
    next: 'F5.',
    unknownOutcome: false,
  };
  const away = { kind: 'away', since: -41_000, nextTry: 5000, error } as const;
  const said = (width: number) => textOf(messageLine(message, away, 1000, width));
  expect(said(80)).toBe(`${text} No answer for 0:42.`);
  expect(said(60)).toBe(`${text} No answer for 0:42.`);
  expect(said(59)).toBe(text);
  const busy = { ...away, error: { ...error, sentence: 'Busy (503).', status: 503 } };
  expect(textOf(messageLine(message, busy, 1000, 80))).toBe(`${text} Busy (503).`);
});

test('the keys of every prompt fit 80 columns', () => {
  const prompts = [
    promptHints({ label: 'New file: ', completions: () => [], submit() {} }),
    exportHints,
    timeHints,
    filterHints,
    findHints.find,
    findHints.replace,
  ];
  for (const hints of prompts) expect(lineWidth(hintLine(hints))).toBeLessThanOrEqual(80);
});

test('a narrow row drops the keys of a prompt, Enter next to last and Esc last', () => {
  const all = [exportHints, timeHints, filterHints, findHints.find, findHints.replace];
  for (const hints of all) {
    for (let width = 40; width > 0; width -= 1) {
      const line = hintLine(hints, width);
      const text = textOf(line);
      expect(text).toContain('Esc');
      const keys = hints.filter(([key]) => text.includes(key)).length;
      if (keys > 1) expect(text).toContain('Enter');
      if (keys > 1) expect(lineWidth(line)).toBeLessThanOrEqual(width);
    }
  }
  expect(textOf(hintLine(timeHints, 40))).toBe('Enter go  12:01  -5m  Esc back');
  expect(textOf(hintLine(timeHints, 24))).toBe('Enter go  Esc back');
  expect(textOf(hintLine(timeHints, 17))).toBe('Esc back');
});

test('an open prompt shows its own keys in the last row', async () => {
  await using open = await openDeck();
  const app = render(
    <DeckContext value={open.deck}>
      <App />
    </DeckContext>,
  );
  const lastRow = () => (app.lastFrame() ?? '').trimEnd().split('\n').at(-1)?.trimEnd();
  setScreen(open.deck.screen, { overlay: prompting({ label: 'Line: ', submit() {} }) });
  await waitFor(() => expect(lastRow()).toBe('Enter continue  Esc cancel'));
  setScreen(open.deck.screen, { overlay: undefined });
  await waitFor(() => expect(lastRow()).toContain('? help'));
  app.unmount();
});

test('a prompt shows its outcome at the end of its row, and its problem below', async () => {
  await using open = await openDeck();
  const app = render(
    <DeckContext value={open.deck}>
      <App />
    </DeckContext>,
  );
  const lastRows = () =>
    (app.lastFrame() ?? '')
      .trimEnd()
      .split('\n')
      .slice(-2)
      .map((row) => row.trimEnd());
  press(open.deck, '4', '&');
  await waitFor(() => expect(lastRows()[0]).toBe('&'));
  expect(lastRows()[1]).toBe('Enter keep  Tab regex  Up/Down history  Esc back');
  type(open.deck, 'started');
  await waitFor(() => expect(lastRows()[0]).toMatch(/^&started +\d+ of \d+$/));
  press(open.deck, 'tab');
  type(open.deck, '[');
  await waitFor(() => expect(lastRows()[1]).toContain('Invalid regular expression'));
  expect(lastRows()[0]).toMatch(/^&re:started\[/);
  press(open.deck, 'escape');
  await waitFor(() => expect(lastRows()[1]).toContain('? help'));
  app.unmount();
});

test('the progress of a log search is shown while the service is away', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const app = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  await foreign.away();
  await waitFor(() => expect(app.lastFrame()).toContain('No answer for'));
  const { tail } = deck.opened.getState();
  const seeking = tail?.reading.seek.begin(() => {});
  seeking?.report('Searched 5 lines.');
  await waitFor(() => expect(app.lastFrame()).toContain('Searched 5 lines.'));
  expect(app.lastFrame()).toContain('OFFLINE');
  seeking?.end();
  await waitFor(() => expect(app.lastFrame()).toContain('No answer for'));
  app.unmount();
});

test('the last row says what Enter does to the row to which the cursor has moved', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '2');
  deck.lists.files.moveCursorTo('README.md');
  const app = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  const enter = () =>
    /Enter \w+/.exec((app.lastFrame() ?? '').trimEnd().split('\n').at(-1) ?? '')?.[0];
  await waitFor(() => expect(enter()).toBe('Enter view'));
  deck.lists.files.moveCursorTo('config');
  await waitFor(() => expect(enter()).toBe('Enter fold'));
  press(deck, 'h');
  await waitFor(() => expect(enter()).toBe('Enter unfold'));
  deck.lists.files.moveCursorTo('README.md');
  await waitFor(() => expect(enter()).toBe('Enter view'));
  deck.lists.files.moveCursorTo('config');
  await waitFor(() => expect(enter()).toBe('Enter unfold'));
  app.unmount();
});
