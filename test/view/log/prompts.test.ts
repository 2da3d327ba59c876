import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Tail } from '../../../source/store/log/tail.ts';

function tailOf({ opened }: Deck): Tail {
  const { tail } = opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  return tail;
}

const lines = [
  'GET /health',
  'GET /pay 504',
  'pay: timeout',
  'GET /health',
  'retry of pay',
  'done',
];

/** Opens a log with the lines above and focuses it. */
async function openLog(texts: readonly string[] = lines): Promise<OpenDeck> {
  const open = await openDeck();
  const { foreign, deck } = open;
  for (const [index, text] of texts.entries()) {
    foreign.append(foreign.sample, index % 2 === 0 ? 'web' : 'worker', text);
  }
  await waitFor(() => {
    const { length, gaps } = tailOf(deck).entries;
    if (textAt(deck, length - 1) !== texts.at(-1)) throw new Error('not all lines are there');
    // Lines before the first live line are requested once it has arrived.
    if (gaps.length > 0) throw new Error('there is a gap yet');
  });
  press(deck, '4');
  return open;
}

function textAt(deck: Deck, index: number): string | undefined {
  const entry = tailOf(deck).entries.at(index);
  return entry?.kind === 'line' ? entry.line.logLine : undefined;
}

function underCursor(deck: Deck): string | undefined {
  const { entries, view } = tailOf(deck);
  const position = view.position.getState();
  if (position.kind === 'following') return undefined;
  return textAt(deck, entries.indexOf(position.cursor));
}

function shown(deck: Deck): readonly (string | undefined)[] {
  const { length } = tailOf(deck).entries;
  return Array.from({ length }, (_, index) => textAt(deck, index));
}

const overlayOf = ({ screen }: Deck) => screen.getState().overlay;
const label = (deck: Deck) => {
  const overlay = overlayOf(deck);
  return overlay?.kind === 'prompt' ? `${overlay.prompt.label}${overlay.text}` : undefined;
};

test('a search goes to the newest match while typed, and n and N step through matches', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '/');
  type(deck, 'pa');
  expect(underCursor(deck)).toBe('retry of pay');
  type(deck, 'y:');
  expect(underCursor(deck)).toBe('pay: timeout');
  press(deck, 'backspace', 'enter');
  expect(overlayOf(deck)).toBeUndefined();
  expect(underCursor(deck)).toBe('retry of pay');
  press(deck, 'N', 'N');
  expect(underCursor(deck)).toBe('GET /pay 504');
  press(deck, 'N');
  await said(deck, 'No older match.');
  press(deck, 'n');
  expect(underCursor(deck)).toBe('pay: timeout');
  expect(deck.screen.getState().message).toBeUndefined();
});

test('n says that no line matches where that is so in the whole log', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '/');
  type(deck, 'nowhere');
  press(deck, 'enter', 'n');
  await said(deck, 'No match.');
});

test('| asks for a command for the selected lines, or for all', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '|');
  expect(label(deck)).toBe(`Pipe ${tailOf(deck).entries.length} lines to: `);
  press(deck, 'escape', 'k', 'k', 'v', 'k', '|');
  expect(label(deck)).toBe('Pipe 2 lines selected to: ');
});

test('Esc in the prompt of a search restores the position and the previous query', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '/');
  type(deck, 'timeout');
  press(deck, 'escape');
  expect(underCursor(deck)).toBeUndefined();
  expect(tailOf(deck).search.state.getState().query).toBeUndefined();
  press(deck, '/');
  type(deck, 'retry');
  press(deck, 'enter', 'k', '/');
  type(deck, '504');
  expect(underCursor(deck)).toBe('GET /pay 504');
  press(deck, 'escape');
  expect(underCursor(deck)).toBe('GET /health');
  expect(tailOf(deck).search.state.getState().query?.text).toBe('retry');
});

test('a filter applies while it is typed; Esc restores the previous one', async () => {
  await using open = await openLog();
  const { deck } = open;
  const all = shown(deck);
  press(deck, '&');
  expect(shown(deck)).toEqual(all);
  type(deck, 'pay');
  const pay = ['GET /pay 504', 'pay: timeout', 'retry of pay'];
  expect(shown(deck)).toEqual(pay);
  press(deck, 'escape');
  expect(shown(deck)).toEqual(all);
  press(deck, '&');
  type(deck, 'pay');
  press(deck, 'enter');
  expect(shown(deck)).toEqual(pay);
  press(deck, '&');
  type(deck, '!pay 504');
  expect(shown(deck)).not.toContain('GET /pay 504');
  press(deck, 'escape');
  expect(shown(deck)).toEqual(pay);
});

test('the cursor moves to the line that a filter shows in its place', async () => {
  await using open = await openLog();
  const { deck } = open;
  const { search, view, entries } = tailOf(deck);
  /** Returns the text of the entry that the cursor itself points at. */
  const cursorText = () => {
    const position = view.position.getState();
    if (position.kind === 'following') return undefined;
    const entry = entries.at(entries.indexOf(position.cursor));
    return entry?.kind === 'line' && entry.seq === position.cursor ? entry.line.logLine : undefined;
  };
  press(deck, '/');
  type(deck, 'GET');
  press(deck, 'enter');
  expect(cursorText()).toBe('GET /health');
  press(deck, '&');
  type(deck, 'pay');
  press(deck, 'enter');
  await waitFor(() => expect(cursorText()).toBe('retry of pay'));
  press(deck, 'N');
  await waitFor(() => expect(cursorText()).toBe('GET /pay 504'));
  expect(search.state.getState()).toMatchObject({ older: 0, newer: 0 });
  press(deck, 'escape', 'escape');
  expect(cursorText()).toBe('GET /pay 504');
  press(deck, 's');
  type(deck, 'web');
  press(deck, 'enter');
  await waitFor(() => expect(cursorText()).toBe('pay: timeout'));
});

test('Enter on an empty prompt ends the search', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '/');
  type(deck, 'pay');
  press(deck, 'enter', '/', 'enter');
  expect(tailOf(deck).search.state.getState().query).toBeUndefined();
});

test('Esc clears the search, switches the filter off, then leaves the full screen', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, 'f', '&');
  type(deck, 'pay');
  press(deck, 'enter', '/');
  type(deck, '504');
  press(deck, 'enter');
  const { filter, search } = tailOf(deck);
  const state = () => [
    search.state.getState().query?.text,
    filter.state.getState().active?.[0]?.query.text,
    deck.screen.getState().fullscreen,
  ];
  expect(state()).toEqual(['504', 'pay', true]);
  press(deck, 'escape');
  expect(state()).toEqual([undefined, 'pay', true]);
  press(deck, 'escape');
  expect(state()).toEqual([undefined, undefined, true]);
  press(deck, 'escape');
  expect(state()).toEqual([undefined, undefined, false]);
});

test('Esc clears an error message first, and acts on a focused list instead', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '&');
  type(deck, 'pay');
  press(deck, 'enter');
  deck.messages.say('It failed.', 'bad');
  press(deck, 'escape');
  const { state } = tailOf(deck).filter;
  expect(state.getState().active?.[0]?.query.text).toBe('pay');
  press(deck, '1', 'escape');
  expect(state.getState().active?.[0]?.query.text).toBe('pay');
});

test('Tab reads the line as a regular expression, and back', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '&');
  type(deck, 'p.y');
  expect(shown(deck)).toEqual([]);
  press(deck, 'tab');
  expect(label(deck)).toBe('&re:p.y');
  expect(shown(deck)).toHaveLength(3);
  press(deck, 'tab');
  expect(label(deck)).toBe('&p.y');
  expect(shown(deck)).toEqual([]);
});

test('Tab names the values between which it cannot decide, until the text changes', async () => {
  await using open = await openLog();
  const { deck } = open;
  const choices = () => {
    const overlay = overlayOf(deck);
    return overlay?.kind === 'prompt' ? overlay.choices : undefined;
  };
  press(deck, '&');
  type(deck, 'service:w');
  press(deck, 'tab');
  expect(label(deck)).toBe('&service:w');
  expect(choices()?.toSorted()).toEqual(['web', 'worker']);
  type(deck, 'o');
  expect(choices()).toBeUndefined();
  press(deck, 'tab');
  expect(label(deck)).toBe('&service:worker ');
});

test('an invalid pattern shows its error, and Enter keeps the prompt open', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '/', 'tab');
  type(deck, '[a-');
  const overlay = overlayOf(deck);
  const problem = overlay?.kind === 'prompt' ? overlay.prompt.outcome?.problem() : undefined;
  expect(problem?.sentence).toContain('Unterminated character class');
  expect(overlay?.kind === 'prompt' && overlay.prompt.outcome?.text()).toBe('');
  press(deck, 'enter');
  expect(label(deck)).toBe('/re:[a-');
  type(deck, 'z]');
  press(deck, 'enter');
  expect(overlayOf(deck)).toBeUndefined();
});

test('Up recalls earlier queries of this prompt, as text or expression', async () => {
  await using open = await openLog();
  const { deck } = open;
  press(deck, '/', 'tab');
  type(deck, 'p.y');
  press(deck, 'enter', '/');
  type(deck, 'done');
  press(deck, 'enter', '&');
  type(deck, 'GET');
  press(deck, 'enter', '/');
  type(deck, 'x');
  press(deck, 'up');
  expect(label(deck)).toBe('/done');
  press(deck, 'up', 'up');
  expect(label(deck)).toBe('/re:p.y');
  expect(tailOf(deck).search.state.getState().query).toEqual({ text: 'p.y', regex: true });
  press(deck, 'down', 'down');
  expect(label(deck)).toBe('/x');
  press(deck, 'escape', '&', 'up');
  expect(label(deck)).toBe('&GET');
});

test('the box selects services, and Enter on its first row shows all again', async () => {
  await using open = await openLog();
  const { deck } = open;
  const all = shown(deck);
  press(deck, 's');
  type(deck, 'wor');
  press(deck, 'enter');
  expect(overlayOf(deck)).toBeUndefined();
  expect(shown(deck)).toContain('GET /pay 504');
  expect(shown(deck)).not.toContain('pay: timeout');
  press(deck, 's');
  type(deck, 'web');
  press(deck, 'space');
  expect(overlayOf(deck)).toMatchObject({
    narrow: '',
    marked: new Set(['service worker', 'service web']),
  });
  press(deck, 'enter');
  expect(shown(deck)).toContain('pay: timeout');
  expect(shown(deck)).toContain('GET /pay 504');
  press(deck, 's', 'enter');
  expect(shown(deck)).toEqual(all);
});

test('n without a search names the key that starts one', async () => {
  await using open = await openLog();
  press(open.deck, 'n');
  await said(open.deck, 'No search is active. / starts a search.');
});

test('another deployment opens with no filter, no search and all services', async () => {
  await using open = await openLog();
  const { deck, foreign } = open;
  press(deck, '&');
  type(deck, 'pay');
  press(deck, 'enter', '/');
  type(deck, '504');
  press(deck, 'enter', 's');
  type(deck, 'web');
  press(deck, 'enter');
  await fetch(`${foreign.baseUrl}/api/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${foreign.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdl: JSON.stringify({ name: 'other', services: { web: {} } }) }),
  });
  await deck.deployments.list.refresh();
  const { rows } = deck.deployments.list.state.getState();
  const other = rows.find(({ value }) => value.name === 'other')?.value.id ?? '';
  deck.opened.open(other);
  const { filter, search } = tailOf(deck);
  expect(filter.state.getState()).toMatchObject({ active: undefined, services: undefined });
  expect(search.state.getState().query).toBeUndefined();
});
