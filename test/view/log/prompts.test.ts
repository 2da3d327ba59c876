import { expect, test } from 'vitest';
import type { Console } from '../../../source/store/deck/deck.ts';
import type { Tail } from '../../../source/store/deck/opened.ts';
import { openConsole, type OpenConsole } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

function tailOf({ opened }: Console): Tail {
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

/** A console on a log of the lines above, with the keys in it. */
async function openLog(texts: readonly string[] = lines): Promise<OpenConsole> {
  const open = await openConsole();
  const { foreign, console } = open;
  for (const [index, text] of texts.entries()) {
    foreign.append(foreign.sample, index % 2 === 0 ? 'web' : 'worker', text);
  }
  await waitFor(() => {
    const { length, gaps } = tailOf(console).entries;
    if (textAt(console, length - 1) !== texts.at(-1)) throw new Error('not all lines are there');
    // What is before the first live line is asked for once that has come.
    if (gaps.length > 0) throw new Error('there is a gap yet');
  });
  press(console, '4');
  return open;
}

function textAt(console: Console, index: number): string | undefined {
  const entry = tailOf(console).entries.at(index);
  return entry?.kind === 'line' ? entry.line.logLine : undefined;
}

function underCursor(console: Console): string | undefined {
  const { entries, view } = tailOf(console);
  const position = view.position.getState();
  if (position.kind === 'following') return undefined;
  return textAt(console, entries.indexOf(position.cursor));
}

function shown(console: Console): readonly (string | undefined)[] {
  const { length } = tailOf(console).entries;
  return Array.from({ length }, (_, index) => textAt(console, index));
}

const overlayOf = ({ screen }: Console) => screen.getState().overlay;
const label = (console: Console) => {
  const overlay = overlayOf(console);
  return overlay?.kind === 'prompt' ? `${overlay.prompt.label}${overlay.text}` : undefined;
};

test('a search goes to the newest match while it is typed, and n and N from match to match', async () => {
  await using open = await openLog();
  const { console } = open;
  press(console, '/');
  type(console, 'pa');
  expect(underCursor(console)).toBe('retry of pay');
  type(console, 'y:');
  expect(underCursor(console)).toBe('pay: timeout');
  press(console, 'backspace', 'enter');
  expect(overlayOf(console)).toBeUndefined();
  expect(underCursor(console)).toBe('retry of pay');
  press(console, 'N', 'N');
  expect(underCursor(console)).toBe('GET /pay 504');
  press(console, 'N');
  await said(console, 'No older match.');
  press(console, 'n');
  expect(underCursor(console)).toBe('pay: timeout');
  expect(console.screen.getState().message).toBeUndefined();
});

test('Esc in the prompt of a search goes back to where the reader was, and to what was searched for', async () => {
  await using open = await openLog();
  const { console } = open;
  press(console, '/');
  type(console, 'timeout');
  press(console, 'escape');
  expect(underCursor(console)).toBeUndefined();
  expect(tailOf(console).search.state.getState().query).toBeUndefined();
  press(console, '/');
  type(console, 'retry');
  press(console, 'enter', 'k', '/');
  type(console, '504');
  expect(underCursor(console)).toBe('GET /pay 504');
  press(console, 'escape');
  expect(underCursor(console)).toBe('GET /health');
  expect(tailOf(console).search.state.getState().query?.text).toBe('retry');
});

test('a filter shows what matches while it is typed; Esc restores, Enter keeps', async () => {
  await using open = await openLog();
  const { console } = open;
  const all = shown(console);
  press(console, '&');
  expect(shown(console)).toEqual(all);
  type(console, 'pay');
  const pay = ['GET /pay 504', 'pay: timeout', 'retry of pay'];
  expect(shown(console)).toEqual(pay);
  press(console, 'escape');
  expect(shown(console)).toEqual(all);
  press(console, '&');
  type(console, 'pay');
  press(console, 'enter');
  expect(shown(console)).toEqual(pay);
  press(console, '&');
  type(console, '!pay 504');
  expect(shown(console)).not.toContain('GET /pay 504');
  press(console, 'escape');
  expect(shown(console)).toEqual(pay);
});

test('the cursor stays on the line that a filter left under it', async () => {
  await using open = await openLog();
  const { console } = open;
  const { search, view, entries } = tailOf(console);
  /** Text of the line that keys act on, and not of one that only stands in its place. */
  const keysAt = () => {
    const position = view.position.getState();
    if (position.kind === 'following') return undefined;
    const entry = entries.at(entries.indexOf(position.cursor));
    return entry?.kind === 'line' && entry.seq === position.cursor ? entry.line.logLine : undefined;
  };
  press(console, '/');
  type(console, 'GET');
  press(console, 'enter');
  expect(keysAt()).toBe('GET /health');
  press(console, '&');
  type(console, 'pay');
  press(console, 'enter');
  await waitFor(() => expect(keysAt()).toBe('retry of pay'));
  press(console, 'N');
  await waitFor(() => expect(keysAt()).toBe('GET /pay 504'));
  expect(search.state.getState()).toMatchObject({ older: 0, newer: 0 });
  press(console, 'escape', 'escape');
  expect(keysAt()).toBe('GET /pay 504');
  press(console, 's');
  type(console, 'web');
  press(console, 'enter');
  await waitFor(() => expect(keysAt()).toBe('pay: timeout'));
});

test('Enter on an empty prompt ends what held', async () => {
  await using open = await openLog();
  const { console } = open;
  const all = shown(console);
  press(console, '&');
  type(console, 'pay');
  press(console, 'enter', '&', 'enter');
  expect(shown(console)).toEqual(all);
});

test('Esc ends the search, then the filter, then the full screen', async () => {
  await using open = await openLog();
  const { console } = open;
  press(console, 'f', '&');
  type(console, 'pay');
  press(console, 'enter', '/');
  type(console, '504');
  press(console, 'enter');
  const { filter, search } = tailOf(console);
  const state = () => [
    search.state.getState().query?.text,
    filter.state.getState().query?.text,
    console.screen.getState().fullscreen,
  ];
  expect(state()).toEqual(['504', 'pay', true]);
  press(console, 'escape');
  expect(state()).toEqual([undefined, 'pay', true]);
  press(console, 'escape');
  expect(state()).toEqual([undefined, undefined, true]);
  press(console, 'escape');
  expect(state()).toEqual([undefined, undefined, false]);
});

test('an error message comes before them, and a list has its own Esc', async () => {
  await using open = await openLog();
  const { console } = open;
  press(console, '&');
  type(console, 'pay');
  press(console, 'enter');
  console.say('It failed.', 'bad');
  press(console, 'escape');
  const { state } = tailOf(console).filter;
  expect(state.getState().query?.text).toBe('pay');
  press(console, '1', 'escape');
  expect(state.getState().query?.text).toBe('pay');
});

test('Tab reads the line as a regular expression, and back', async () => {
  await using open = await openLog();
  const { console } = open;
  press(console, '&');
  type(console, 'p.y');
  expect(shown(console)).toEqual([]);
  press(console, 'tab');
  expect(label(console)).toBe('&re:p.y');
  expect(shown(console)).toHaveLength(3);
  press(console, 'tab');
  expect(label(console)).toBe('&p.y');
  expect(shown(console)).toEqual([]);
});

test('a pattern that cannot be read is said so, and Enter keeps its prompt open', async () => {
  await using open = await openLog();
  const { console } = open;
  press(console, '/', 'tab');
  type(console, '[a-');
  const overlay = overlayOf(console);
  const problem = overlay?.kind === 'prompt' ? overlay.prompt.outcome?.problem() : undefined;
  expect(problem?.sentence).toContain('Unterminated character class');
  expect(overlay?.kind === 'prompt' && overlay.prompt.outcome?.text()).toBe('');
  press(console, 'enter');
  expect(label(console)).toBe('/re:[a-');
  type(console, 'z]');
  press(console, 'enter');
  expect(overlayOf(console)).toBeUndefined();
});

test('Up brings back what was entered in this kind of prompt, as text or expression', async () => {
  await using open = await openLog();
  const { console } = open;
  press(console, '/', 'tab');
  type(console, 'p.y');
  press(console, 'enter', '/');
  type(console, 'done');
  press(console, 'enter', '&');
  type(console, 'GET');
  press(console, 'enter', '/');
  type(console, 'x');
  press(console, 'up');
  expect(label(console)).toBe('/done');
  press(console, 'up', 'up');
  expect(label(console)).toBe('/re:p.y');
  expect(tailOf(console).search.state.getState().query).toEqual({ text: 'p.y', regex: true });
  press(console, 'down', 'down');
  expect(label(console)).toBe('/x');
  press(console, 'escape', '&', 'up');
  expect(label(console)).toBe('&GET');
});

test('services are chosen in a box, and all come back by Enter on their row', async () => {
  await using open = await openLog();
  const { console } = open;
  const all = shown(console);
  press(console, 's');
  type(console, 'wor');
  press(console, 'enter');
  expect(overlayOf(console)).toBeUndefined();
  expect(shown(console)).toContain('GET /pay 504');
  expect(shown(console)).not.toContain('pay: timeout');
  press(console, 's');
  type(console, 'web');
  press(console, 'space');
  expect(overlayOf(console)).toMatchObject({ narrow: '', marked: new Set(['worker', 'web']) });
  press(console, 'enter');
  expect(shown(console)).toContain('pay: timeout');
  expect(shown(console)).toContain('GET /pay 504');
  press(console, 's', 'enter');
  expect(shown(console)).toEqual(all);
});

test('n with nothing searched for says which key searches', async () => {
  await using open = await openLog();
  press(open.console, 'n');
  await said(open.console, 'Nothing is searched for. / searches.');
});

test('another deployment opens with no filter, no search and all services', async () => {
  await using open = await openLog();
  const { console, foreign } = open;
  press(console, '&');
  type(console, 'pay');
  press(console, 'enter', '/');
  type(console, '504');
  press(console, 'enter', 's');
  type(console, 'web');
  press(console, 'enter');
  await fetch(`${foreign.baseUrl}/api/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${foreign.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdl: JSON.stringify({ name: 'other', services: { web: {} } }) }),
  });
  await console.deployments.list.refresh();
  const { rows } = console.deployments.list.state.getState();
  const other = rows.find(({ value }) => value.name === 'other')?.value.id ?? '';
  console.openDeployment(other);
  const { filter, search } = tailOf(console);
  expect(filter.state.getState()).toMatchObject({ query: undefined, services: undefined });
  expect(search.state.getState().query).toBeUndefined();
});
