import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Console } from '../../source/store/console.ts';
import type { MainView, Pane } from '../../source/store/screen.ts';
import type { Terminal } from '../../source/view/action.ts';
import { commands } from '../../source/view/commands.ts';
import { dispatch } from '../../source/view/dispatch.ts';
import { editBindings } from '../../source/view/edit-keymap.ts';
import { bindings, type Command } from '../../source/view/keymap.ts';
import { createPalette } from '../../source/view/palette.ts';
import { look } from '../store/open-editor.ts';
import { openConsole } from './open-console.ts';
import { noClipboard } from './no-clipboard.ts';

interface Pressed extends Terminal {
  readonly done: string[];
}

function terminal(): Pressed {
  const done: string[] = [];
  return {
    done,
    quit: () => done.push('quit'),
    suspend: () => done.push('suspend'),
    redraw: () => done.push('redraw'),
    hand: async () => undefined,
    clipboard: noClipboard,
  };
}

const extent = { rows: 10, lines: 100 };

function press(console: Console, name: string, on: Terminal = terminal()): string {
  const text = name.length === 1 ? name : undefined;
  return dispatch(
    { name, ...(text === undefined ? {} : { text }) },
    { console, terminal: on, extent },
  );
}

function paste(console: Console, text: string): string {
  return dispatch({ name: 'paste', text }, { console, terminal: terminal(), extent });
}

/** Every place that keys can go to: each pane, each view of pane 4, each thing above the panes. */
function everyContext(console: Console, deployment: string): (() => void)[] {
  const base = { overlay: undefined, message: undefined, fullscreen: false } as const;
  const views: MainView[] = [
    { kind: 'logs' },
    { kind: 'file' },
    { kind: 'diff', over: undefined },
    { kind: 'history', over: undefined },
    { kind: 'deployment', id: deployment },
    { kind: 'deployment', id: deployment, raw: true },
    { kind: 'answer', pane: 'grants' },
  ];
  const panes: Pane[] = ['deployments', 'files', 'grants'];
  const { setState } = console.screen;
  return [
    ...panes.map((focus) => () => setState({ ...base, focus, main: { kind: 'logs' } })),
    ...views.map((main) => () => setState({ ...base, focus: 'main', main })),
    () => setState({ ...base, overlay: { kind: 'help', pane: 'files', page: 0 } }),
    () => setState({ ...base, overlay: { kind: 'services', narrow: '', caret: 0 } }),
    () => {
      setState({ ...base, focus: 'deployments' });
      const action = { console, terminal: terminal(), extent };
      const run = (command: Command) => commands[command](action);
      setState({ overlay: createPalette(action, { command: run, edit() {} }) });
    },
    ...[undefined, 'ctrl+f', 'ctrl+g'].map((opening) => () => {
      setState({ ...base, focus: 'main', main: { kind: 'editor' } });
      if (opening !== undefined) press(console, opening);
    }),
    () => {
      setState({ ...base, focus: 'main', main: { kind: 'editor' } });
      press(console, 'ctrl+f');
      press(console, 'x');
      press(console, 'tab');
    },
    () => {
      setState({ ...base, focus: 'deployments' });
      press(console, '/');
    },
    () => setState({ ...base, overlay: { kind: 'beginnings', narrow: '', caret: 0 } }),
    () => {
      console.restarts.forget(deployment);
      setState({ ...base, focus: 'deployments' });
      press(console, 'r');
    },
    () => {
      console.restarts.changed(deployment, { service: 'web', path: 'index.html' });
      setState({ ...base, focus: 'deployments' });
      press(console, 'r');
    },
    () => {
      console.restarts.changed(deployment, { service: 'web', path: 'index.html' });
      setState({ ...base, focus: 'deployments' });
      press(console, 'ctrl+z');
    },
    () => setState({ ...base, focus: 'deployments', deploymentMarks: new Set([deployment]) }),
    ...['X', 'r'].map((key) => () => {
      const ids = console.deployments.list.state.getState().rows.map(({ value }) => value.id);
      setState({ ...base, focus: 'deployments', deploymentMarks: new Set(ids) });
      press(console, key);
      // As if it had long been read.
      setState(({ overlay }) =>
        overlay?.kind === 'question' ? { overlay: { ...overlay, shownAt: 0 } } : {},
      );
    }),
  ];
}

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

test('no single key and no paste changes anything on the service, wherever it goes', async () => {
  // So long that nothing is sent by itself meanwhile.
  await using open = await openConsole(
    {},
    ({ baseUrl, token }) => create(baseUrl, token, 'second'),
    { restartDelay: 600_000 },
  );
  const { console, foreign } = open;
  const before = foreign.writes();
  // `^S` alone writes; it has a test of its own.
  const bound = [...bindings, ...editBindings].flatMap((binding) => binding.keys);
  const keys = [...new Set([...bound, ...printable])].filter((key) => key !== 'ctrl+s');
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  const opened = await console.editor.open(place, look);
  const arrange = everyContext(console, foreign.sample);
  for (const context of arrange) {
    for (const key of keys) {
      // What a key has closed is open again for the next.
      if (opened.kind === 'open') {
        console.editor.state.setState({ document: opened.file, file: opened.file });
      }
      context();
      press(console, key);
    }
    context();
    paste(console, fc.sample(fc.string({ minLength: 10_000, maxLength: 10_000 }), 1)[0] ?? '');
  }
  // What was asked for has been sent by now: requests leave in order.
  await console.deployments.list.refresh();
  expect(foreign.writes()).toEqual(before);
  // The keys did arrive.
  expect(opened.kind === 'open' && opened.file.text.isChanged()).toBe(true);
});

test('^S writes what is typed in the editor, and nothing that is not typed', async () => {
  await using open = await openConsole({}, undefined, { restartDelay: 600_000 });
  const { console, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  await console.editor.open(place, look);
  console.screen.setState({ focus: 'main', main: { kind: 'editor' } });
  press(console, 'ctrl+s');
  await expect.poll(() => console.screen.getState().message?.text).toMatch(/Nothing sent/);
  expect(foreign.writes()).toEqual([]);
  press(console, 'x');
  press(console, 'ctrl+s');
  await expect.poll(() => console.screen.getState().message?.text).toMatch(/^Saved README/);
  expect(foreign.writes().map(({ method }) => method)).toEqual(['PUT']);
  expect(foreign.stored(foreign.sample, 'web', 'README.md')?.toString()).toBe('x# bazaar\n');
});

test('Enter answers the restart box only once its frame could be read', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  press(console, 'r');
  press(console, 'tab');
  press(console, 'enter');
  expect(console.screen.getState().overlay).toMatchObject({ kind: 'restart', button: 1 });
  console.screen.setState(({ overlay }) =>
    overlay?.kind === 'restart' ? { overlay: { ...overlay, shownAt: Date.now() - 301 } } : {},
  );
  press(console, 'enter');
  expect(console.screen.getState().overlay).toBeUndefined();
  await expect.poll(() => foreign.writes().length).toBe(1);
});

test('q at a pane quits with its second press, but not typed at once, nor after another key', async () => {
  await using open = await openConsole();
  const { console } = open;
  const on = terminal();
  press(console, 'q', on);
  press(console, 'q', on);
  expect(on.done).toEqual([]);
  const readable = () => console.screen.setState({ quitAskedAt: Date.now() - 301 });
  readable();
  press(console, 'j', on);
  press(console, 'q', on);
  expect(on.done).toEqual([]);
  readable();
  press(console, 'q', on);
  expect(on.done).toEqual(['quit']);
});

test('q closes a view and goes back to the pane it was opened from', async () => {
  await using open = await openConsole();
  const { console } = open;
  press(console, '2');
  press(console, 'G');
  press(console, 'enter');
  expect(console.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'file' } });
  press(console, 'q');
  expect(console.screen.getState()).toMatchObject({ focus: 'files', main: { kind: 'logs' } });
});

test('^T goes to the log and back to the pane that was left, however pane 4 was entered', async () => {
  await using open = await openConsole();
  const { console } = open;
  press(console, '2');
  press(console, 'ctrl+t');
  expect(console.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
  press(console, 'ctrl+t');
  expect(console.screen.getState().focus).toBe('files');
  for (const enter of ['4', 'f']) {
    press(console, '3');
    press(console, enter);
    press(console, 'ctrl+t');
    expect(console.screen.getState()).toMatchObject({ focus: 'grants', fullscreen: false });
  }
});

test('keys edit the prompt before it is drawn, at its caret', async () => {
  await using open = await openConsole();
  const { console } = open;
  const filter = () => console.screen.getState().filters.deployments;
  for (const key of ['/', 'b', 'z', 'left', 'a']) expect(press(console, key)).toBe('consumed');
  expect(filter()).toBe('baz');
  expect(console.screen.getState().overlay).toMatchObject({ kind: 'filter', caret: 2 });
  press(console, 'home');
  paste(console, 'state:run\n');
  expect(filter()).toBe('state:runbaz');
  for (const key of ['ctrl+e', 'left', 'left', 'ctrl+k', 'backspace']) press(console, key);
  expect(filter()).toBe('state:run');
  press(console, 'ctrl+u');
  expect(filter()).toBe('');
});

test('a caret that moves leaves the row alone that the prompt has found', async () => {
  await using open = await openConsole({}, async (foreign) => {
    for (const name of ['shop-a', 'shop-b']) await create(foreign.baseUrl, foreign.token, name);
  });
  const { console } = open;
  const row = () => console.screen.getState().cursors.deployments.index;
  for (const key of ['/', 's', 'h', 'down']) press(console, key);
  expect(row()).toBe(1);
  press(console, 'home');
  press(console, 'left');
  expect(row()).toBe(1);
  press(console, 'enter');
  expect(console.screen.getState()).toMatchObject({
    overlay: undefined,
    filters: { deployments: 'sh' },
  });
});

test('the service picker is held until its list is there, and narrows by an edited line', async () => {
  await using open = await openConsole();
  const { console } = open;
  press(console, '2');
  expect(press(console, 's')).toBe('hold');
  for (const key of ['w', 'b', 'left', 'e']) expect(press(console, key)).toBe('consumed');
  expect(console.screen.getState().overlay).toEqual({ kind: 'services', narrow: 'web', caret: 2 });
  expect(press(console, 'down')).toBe('pass');
});

test('a refresh never moves what a key acts on', async () => {
  await using open = await openConsole({}, async (foreign) => {
    for (const name of ['a', 'b', 'c']) await create(foreign.baseUrl, foreign.token, name);
  });
  const { console, foreign } = open;
  press(console, '1');
  press(console, 'j');
  const { id } = console.screen.getState().cursors.deployments;
  await create(foreign.baseUrl, foreign.token, 'newcomer');
  await console.deployments.list.refresh();
  expect(console.screen.getState().cursors.deployments.id).toBe(id);
});

async function create(baseUrl: string, token: string, name: string): Promise<void> {
  await fetch(`${baseUrl}/api/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdl: JSON.stringify({ name, services: { web: {} } }) }),
  });
}

test('F1 opens the help from a prompt or a box, which comes back as it was', async () => {
  await using open = await openConsole();
  const { console } = open;
  const { screen } = console;
  for (const opening of ['/', 'r']) {
    screen.setState({ overlay: undefined, focus: 'deployments' });
    press(console, opening);
    const opened = screen.getState().overlay;
    expect(opened).toBeDefined();
    press(console, 'f1');
    expect(screen.getState().overlay).toMatchObject({ kind: 'help', pane: 'deployments' });
    press(console, 'tab');
    press(console, 'x');
    expect(screen.getState().overlay).toMatchObject({ kind: 'help', pane: 'files' });
    press(console, 'escape');
    expect(screen.getState().overlay).toEqual(opened);
    press(console, 'f1');
    press(console, 'f1');
    expect(screen.getState().overlay).toEqual(opened);
  }
});
