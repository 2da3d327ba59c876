import { expect, test } from 'vitest';
import type { Console } from '../../../../source/store/deck/deck.ts';
import { look } from '../../../store/editor/open-editor.ts';
import { openConsole } from '../../open-deck.ts';
import { chosenName, offered, openedPalette, openPalette } from './open-palette.ts';
import { paste, press, type } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';

async function create(baseUrl: string, token: string, name: string): Promise<void> {
  await fetch(`${baseUrl}/api/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdl: JSON.stringify({ name, services: { web: {} } }) }),
  });
}

const overlayOf = (console: Console) => console.screen.getState().overlay?.kind;

test(':pay Enter opens the log of the deployment payments', async () => {
  await using open = await openConsole({}, async ({ baseUrl, token }) => {
    for (const name of ['shop', 'payments', 'payments-old']) await create(baseUrl, token, name);
  });
  const { console } = open;
  await openPalette(console);
  type(console, 'pay');
  expect(offered(console)).toEqual(['payments', 'payments-old']);
  press(console, 'enter');
  expect(console.label(console.opened.getState().id ?? '')).toBe('payments');
  expect(console.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
});

test('it offers what makes sense where it was opened, by the table of the keys', async () => {
  await using open = await openConsole();
  const { console } = open;
  press(console, '2');
  await openPalette(console, 'f2');
  expect(offered(console)).toEqual(
    expect.arrayContaining(['delete files', 'upload', 'suspend', 'history', 'quit', 'refetch']),
  );
  expect(offered(console)).not.toContain('freeze');
  press(console, 'escape');
  press(console, '4');
  await openPalette(console);
  expect(offered(console)).toContain('freeze');
  expect(offered(console)).toContain('restart bazaar');
  expect(offered(console)).not.toContain('delete files');
  for (const motion of ['down', 'page up', 'escape', 'palette']) {
    expect(offered(console)).not.toContain(motion);
  }
});

test('what writes only opens its box', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  await openPalette(console);
  type(console, 'restart');
  press(console, 'enter');
  expect(overlayOf(console)).toBe('restart');
  await console.deployments.list.refresh();
  expect(foreign.writes()).toEqual([]);
});

test('it goes to a service of the opened deployment and to a file of the listed one', async () => {
  await using open = await openConsole();
  const { console } = open;
  await openPalette(console);
  type(console, 'worker');
  press(console, 'enter');
  expect(console.files.state.getState().place?.service).toBe('worker');
  expect(console.screen.getState().focus).toBe('files');
  await waitFor(() => expect(console.files.list.state.getState().rows).toHaveLength(1));
  await openPalette(console);
  type(console, 'py job');
  expect(offered(console)).toEqual(['job.py']);
  press(console, 'enter');
  expect(console.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'file' } });
  await waitFor(() => {
    expect(console.files.state.getState().opened).toMatchObject({ path: 'job.py' });
  });
  press(console, 'q');
  expect(console.screen.getState().focus).toBe('files');
});

test('arrows choose, Tab completes, and a list that changes leaves the row chosen', async () => {
  await using open = await openConsole({}, async ({ baseUrl, token }) => {
    for (const name of ['stall-b', 'stall-c']) await create(baseUrl, token, name);
  });
  const { console, foreign } = open;
  await openPalette(console);
  type(console, 'stall');
  press(console, 'down');
  const chosen = chosenName(console);
  await create(foreign.baseUrl, foreign.token, 'stall-a');
  await create(foreign.baseUrl, foreign.token, 'stall');
  await console.deployments.list.refresh();
  expect(offered(console)).toHaveLength(4);
  expect(chosenName(console)).toBe(chosen);
  press(console, 'tab');
  expect(openedPalette(console).text).toBe(chosen);
  expect(chosenName(console)).toBe(chosen);
  press(console, 'up', 'up', 'up', 'up', 'up');
  expect(offered(console)[0]).toBe(chosenName(console));
});

test('Up in an empty field brings back what was entered, the last first', async () => {
  await using open = await openConsole();
  const { console } = open;
  for (const name of ['fullscreen', 'wrap']) {
    await openPalette(console);
    type(console, name);
    press(console, 'enter');
  }
  await openPalette(console);
  const text = () => openedPalette(console).text;
  press(console, 'up');
  expect(text()).toBe('wrap');
  press(console, 'up');
  expect(text()).toBe('fullscreen');
  press(console, 'up');
  expect(text()).toBe('fullscreen');
  press(console, 'down', 'down');
  expect(text()).toBe('');
  press(console, 'down', 'up');
  expect(text()).toBe('');
});

test('a paste is text that finds nothing, and Enter then does nothing', async () => {
  await using open = await openConsole();
  const { console } = open;
  await openPalette(console);
  paste(console, 'restart bazaar\r'.repeat(700));
  expect(openedPalette(console).text.length).toBeLessThanOrEqual(4096);
  expect(offered(console)).toEqual([]);
  press(console, 'enter', 'tab', 'down', 'up', 'enter');
  expect(overlayOf(console)).toBe('palette');
  press(console, 'ctrl+c');
  expect(overlayOf(console)).toBeUndefined();
});

test('F1 shows the help over it, and it comes back as it was', async () => {
  await using open = await openConsole();
  const { console } = open;
  await openPalette(console);
  type(console, 'ref');
  const before = openedPalette(console);
  press(console, 'f1');
  expect(overlayOf(console)).toBe('help');
  press(console, 'escape');
  expect(openedPalette(console)).toBe(before);
});

test('in the editor F2 opens it, a colon types, and places leave ^T the way back', async () => {
  await using open = await openConsole({}, undefined, { restartDelay: 600_000 });
  const { console, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  const opened = await console.editor.open(place, look);
  if (opened.kind !== 'open') throw new Error('it is not open');
  console.screen.setState({ focus: 'main', main: { kind: 'editor' } });
  press(console, ':');
  expect(opened.file.text.text()).toBe(':# bazaar\n');
  await openPalette(console, 'f2');
  expect(offered(console)).toEqual(
    expect.arrayContaining(['go to line', 'undo', 'suspend', 'history', 'quit', 'go to files']),
  );
  for (const absent of ['save', 'newline', 'down', 'freeze']) {
    expect(offered(console)).not.toContain(absent);
  }
  type(console, 'undo');
  press(console, 'enter');
  expect(opened.file.text.text()).toBe('# bazaar\n');
  await openPalette(console, 'f2');
  type(console, 'bazaar');
  press(console, 'enter');
  expect(console.screen.getState().main.kind).toBe('logs');
  press(console, 'ctrl+t');
  expect(console.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'editor' } });
});

test('commands are called by what they do', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  press(console, '4');
  await openPalette(console);
  expect(offered(console)).toContain('fill gaps');
  press(console, 'escape');
  press(console, 'd');
  await openPalette(console);
  expect(offered(console)).toContain('json');
  press(console, 'escape');
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  await console.editor.open(place, look);
  console.screen.setState({ focus: 'main', main: { kind: 'editor' } });
  await openPalette(console, 'f2');
  expect(offered(console)).toEqual(expect.arrayContaining(['copy', 'cut', 'select']));
});

test('no command that it offers anywhere writes, nor the Enter after it', async () => {
  await using open = await openConsole({}, undefined, { restartDelay: 600_000 });
  const { console, foreign } = open;
  const { screen } = console;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  const opened = await console.editor.open(place, look);
  if (opened.kind !== 'open') throw new Error('it is not open');
  press(console, '2');
  const contexts = [
    { focus: 'deployments', main: { kind: 'logs' } },
    { focus: 'files', main: { kind: 'logs' } },
    { focus: 'grants', main: { kind: 'logs' } },
    { focus: 'main', main: { kind: 'logs' } },
    { focus: 'main', main: { kind: 'file' } },
    { focus: 'main', main: { kind: 'history', over: undefined } },
    { focus: 'main', main: { kind: 'editor' } },
  ] as const;
  for (const context of contexts) {
    console.editor.state.setState({ file: opened.file });
    screen.setState({ ...context, overlay: undefined, message: undefined });
    await openPalette(console, 'f2');
    for (const name of offered(console)) {
      console.editor.state.setState({ file: opened.file });
      screen.setState({ ...context, overlay: undefined, message: undefined });
      await openPalette(console, 'f2');
      type(console, name);
      press(console, 'enter', 'enter');
    }
  }
  await console.deployments.list.refresh();
  expect(foreign.writes()).toEqual([]);
});
