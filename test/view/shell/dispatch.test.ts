import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { Terminal } from '../../../source/view/command/action.ts';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { quitPrompt } from '../../../source/view/shell/quit-commands.ts';
import { look } from '../../store/editor/open-editor.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { allKeys } from '../../support/bound-keys.ts';
import { everyContext } from './every-context.ts';
import { openDeck } from '../open-deck.ts';
import { quietTerminal } from '../quiet-terminal.ts';
import { type PathOwner, prompting } from '../../../source/store/prompts/prompt.ts';
import { setScreen } from '../../support/set-screen.ts';
import { codePoint } from '../../support/code-point.ts';

const viewport = { rows: 10, lines: 100 };

function press(deck: Deck, name: string, on: Terminal = quietTerminal()): string {
  const text = name.length === 1 ? name : undefined;
  return dispatch(
    { name, ...(text === undefined ? {} : { text }) },
    { deck, terminal: on, viewport },
  );
}

function paste(deck: Deck, text: string): string {
  return dispatch({ name: 'paste', text }, { deck, terminal: quietTerminal(), viewport });
}

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

test('no single key or paste writes to the service in any context', async () => {
  // A delay longer than the test, so that no automatic restart is sent.
  await using open = await openDeck({}, somethingToActOn, { restartDelay: 600_000 });
  const { deck, foreign } = open;
  const before = foreign.writes();
  const deployment = foreign.sample;
  const contexts = await everyContext(deck, { deployment, grant: grantId, ending: '9f3c' });
  // `^S` is the only key that writes, and the next test covers it.
  const keys = [...new Set([...allKeys, ...printable])].filter((key) => key !== 'ctrl+s');
  for (const { arrange } of contexts) {
    for (const key of keys) {
      arrange();
      press(deck, key);
    }
  }
  // Last, as the texts that it makes long are read again at each arrangement.
  for (const { arrange } of contexts) {
    arrange();
    paste(deck, fc.sample(pasted, 1)[0] ?? '');
  }
  // Requests leave in order, so earlier ones have been sent.
  await deck.deployments.list.refresh();
  expect(foreign.writes()).toEqual(before);
  // The keys were dispatched.
  const { drafts } = deck.drafts.state.getState();
  expect(drafts.size).toBe(2);
});

const pasted = fc.string({ unit: codePoint, minLength: 10_000, maxLength: 10_000 });
const grantId = 'grant-1';

async function somethingToActOn({ baseUrl, token, grants, wallet }: Foreign): Promise<void> {
  await create(baseUrl, token, 'second');
  const createdAt = new Date().toISOString();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const grantee = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';
  const parties = { grantor: wallet, grantee };
  grants.set(grantId, { id: grantId, ...parties, limit: 5, spent: 0, createdAt, expiresAt });
}

test('^S saves typed text, and sends nothing without a change', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 600_000 });
  const { deck, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  await deck.editor.open(place, look);
  setScreen(deck.screen, { focus: 'main', main: { kind: 'editor' } });
  press(deck, 'ctrl+s');
  await expect.poll(() => deck.screen.getState().message?.text).toBe('No changes to save.');
  expect(foreign.writes()).toEqual([]);
  press(deck, 'x');
  press(deck, 'ctrl+s');
  await expect.poll(() => deck.screen.getState().message?.text).toMatch(/^Saved README/);
  expect(foreign.writes().map(({ method }) => method)).toEqual(['PUT']);
  expect(foreign.stored(foreign.sample, 'web', 'README.md')?.toString()).toBe('x# bazaar\n');
});

test('Enter answers the restart box only once its frame could be read', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, 'r');
  press(deck, 'tab');
  press(deck, 'enter');
  expect(deck.screen.getState().overlay).toMatchObject({ kind: 'restart', button: 1 });
  setScreen(deck.screen, ({ overlay }) =>
    overlay?.kind === 'restart' ? { overlay: { ...overlay, shownAt: Date.now() - 301 } } : {},
  );
  press(deck, 'enter');
  expect(deck.screen.getState().overlay).toBeUndefined();
  await expect.poll(() => foreign.writes().length).toBe(1);
});

test('q at a pane quits on its second press, but not at once or after another key', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const on = quietTerminal();
  press(deck, 'q', on);
  press(deck, 'q', on);
  expect(on.done).toEqual([]);
  const readable = () => deck.screen.message.askToLeave(quitPrompt('app.quit'), Date.now() - 301);
  readable();
  press(deck, 'j', on);
  press(deck, 'q', on);
  expect(on.done).toEqual([]);
  readable();
  press(deck, 'q', on);
  expect(on.done).toEqual(['quit']);
});

test('q and Esc go back from details to the log, and from the log to the list that opened it', async () => {
  await using open = await openDeck();
  const { deck } = open;
  for (const back of ['q', 'escape']) {
    press(deck, '1');
    press(deck, 'enter');
    press(deck, 'd');
    expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'deployment' } });
    press(deck, back);
    expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
    press(deck, back);
    expect(deck.screen.getState()).toMatchObject({ focus: 'deployments', message: undefined });
  }
  press(deck, 'q');
  expect(deck.screen.getState().message?.text).toBe('q again quits.');
});

test('^C asks in its own name wherever it is, and q does not answer it', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const on = quietTerminal();
  press(deck, 'enter');
  press(deck, 'd');
  press(deck, 'ctrl+c', on);
  expect(deck.screen.getState()).toMatchObject({
    main: { kind: 'deployment' },
    message: { text: '^C again quits.' },
  });
  deck.screen.message.askToLeave(quitPrompt('app.interrupt'), Date.now() - 301);
  press(deck, 'ctrl+c', on);
  expect(on.done).toEqual(['quit']);
  press(deck, '1', on);
  deck.screen.message.askToLeave(quitPrompt('app.interrupt'), Date.now() - 301);
  press(deck, 'q', on);
  expect(on.done).toEqual(['quit']);
});

test('Up in a prompt for a path recalls those that were entered in any prompt for one', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const enter = (path: string, pathOf: PathOwner = 'machine') =>
    deck.screen.overlay.open(prompting({ label: 'Upload from: ', pathOf, submit() {} }, path));
  for (const path of ['./site', '~/data', './site']) {
    enter(path);
    press(deck, 'enter');
  }
  // A path inside a service is no path of this machine.
  enter('lib/config.js', 'service');
  press(deck, 'enter');
  enter('', 'service');
  press(deck, 'up');
  expect(deck.screen.getState().overlay).toMatchObject({ text: 'lib/config.js' });
  enter('./');
  const texts = ['up', 'up', 'up', 'down', 'down', 'down'].map((key) => {
    press(deck, key);
    const { overlay } = deck.screen.getState();
    return overlay?.kind === 'prompt' ? overlay.text : undefined;
  });
  expect(texts).toEqual(['./site', '~/data', '~/data', './site', './', './']);
});

test('q closes a view and goes back to the pane it was opened from', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '2');
  press(deck, 'G');
  press(deck, 'enter');
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'file' } });
  press(deck, 'q');
  expect(deck.screen.getState()).toMatchObject({ focus: 'files', main: { kind: 'logs' } });
});

test('^T switches to the log and back to the previous pane', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '2');
  press(deck, 'ctrl+t');
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
  press(deck, 'ctrl+t');
  expect(deck.screen.getState().focus).toBe('files');
  for (const enter of [['4'], ['4', 'f']]) {
    for (const key of ['3', ...enter, 'ctrl+t']) press(deck, key);
    expect(deck.screen.getState()).toMatchObject({ focus: 'grants', fullscreen: false });
  }
});

test('keys edit the prompt before it is drawn, at its caret', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const filter = () => deck.screen.getState().filters.deployments;
  for (const key of ['/', 'b', 'z', 'left', 'a']) expect(press(deck, key)).toBe('consumed');
  expect(filter()).toBe('baz');
  expect(deck.screen.getState().overlay).toMatchObject({ kind: 'filter', caret: 2 });
  press(deck, 'home');
  paste(deck, 'state:run\n');
  expect(filter()).toBe('state:runbaz');
  for (const key of ['ctrl+e', 'left', 'left', 'ctrl+k', 'backspace']) press(deck, key);
  expect(filter()).toBe('state:run');
  press(deck, 'ctrl+u');
  expect(filter()).toBe('');
});

test('moving the caret of a prompt does not move the found row', async () => {
  await using open = await openDeck({}, async (foreign) => {
    for (const name of ['shop-a', 'shop-b']) await create(foreign.baseUrl, foreign.token, name);
  });
  const { deck } = open;
  const row = () => deck.screen.getState().cursors.deployments.index;
  for (const key of ['/', 's', 'h', 'down']) press(deck, key);
  expect(row()).toBe(1);
  press(deck, 'home');
  press(deck, 'left');
  expect(row()).toBe(1);
  press(deck, 'enter');
  expect(deck.screen.getState()).toMatchObject({
    overlay: undefined,
    filters: { deployments: 'sh' },
  });
});

test('keys wait for the menu of services, and its line filters the list', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '2');
  expect(press(deck, 's')).toBe('hold');
  for (const key of ['w', 'b', 'left', 'e']) expect(press(deck, key)).toBe('consumed');
  expect(deck.screen.getState().overlay).toMatchObject({ kind: 'menu', narrow: 'web', caret: 2 });
  expect(press(deck, 'down')).toBe('pass');
});

test('a refresh never changes the row that a key acts on', async () => {
  await using open = await openDeck({}, async (foreign) => {
    for (const name of ['a', 'b', 'c']) await create(foreign.baseUrl, foreign.token, name);
  });
  const { deck, foreign } = open;
  press(deck, '1');
  press(deck, 'j');
  const { id } = deck.screen.getState().cursors.deployments;
  await create(foreign.baseUrl, foreign.token, 'newcomer');
  await deck.deployments.list.refresh();
  expect(deck.screen.getState().cursors.deployments.id).toBe(id);
});

async function create(baseUrl: string, token: string, name: string): Promise<void> {
  await fetch(`${baseUrl}/api/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdl: JSON.stringify({ name, services: { web: {} } }) }),
  });
}

test('F1 opens the help over a prompt or a box, which reopens unchanged', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const { screen } = deck;
  for (const opening of ['/', 'r']) {
    setScreen(screen, { overlay: undefined, focus: 'deployments' });
    press(deck, opening);
    const opened = screen.getState().overlay;
    expect(opened).toBeDefined();
    press(deck, 'f1');
    expect(screen.getState().overlay).toMatchObject({ kind: 'help', pane: 'deployments' });
    press(deck, 'tab');
    press(deck, 'x');
    expect(screen.getState().overlay).toMatchObject({ kind: 'help', pane: 'files' });
    press(deck, 'escape');
    expect(screen.getState().overlay).toEqual(opened);
    press(deck, 'f1');
    press(deck, 'f1');
    expect(screen.getState().overlay).toEqual(opened);
  }
});
