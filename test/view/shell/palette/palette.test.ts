import { expect, test } from 'vitest';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import { look } from '../../../store/editor/open-editor.ts';
import { openDeck } from '../../open-deck.ts';
import { chosenName, offered, openedPalette, openPalette } from './open-palette.ts';
import { boxOf, paste, press, type } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { setScreen } from '../../../support/set-screen.ts';
import { boxText } from '../../../support/box-text.ts';

async function create(baseUrl: string, token: string, name: string): Promise<void> {
  await fetch(`${baseUrl}/api/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdl: JSON.stringify({ name, services: { web: {} } }) }),
  });
}

const overlayOf = (deck: Deck) => deck.screen.getState().overlay?.kind;

test(':pay Enter opens the log of the deployment payments', async () => {
  await using open = await openDeck({}, async ({ baseUrl, token }) => {
    for (const name of ['shop', 'payments', 'payments-old']) await create(baseUrl, token, name);
  });
  const { deck } = open;
  await openPalette(deck);
  type(deck, 'pay');
  expect(offered(deck)).toEqual(['payments', 'payments-old']);
  press(deck, 'enter');
  expect(deck.deployments.label(deck.opened.getState().id ?? '')).toBe('payments');
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
});

test('the palette offers the commands of the context it was opened in', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '2');
  await openPalette(deck, 'f2');
  expect(offered(deck)).toEqual(
    expect.arrayContaining(['delete files', 'upload', 'suspend', 'history', 'quit', 'refetch']),
  );
  expect(offered(deck)).not.toContain('pause');
  press(deck, 'escape');
  press(deck, '4');
  await openPalette(deck);
  expect(offered(deck)).toContain('pause');
  expect(offered(deck)).toContain('restart bazaar');
  expect(offered(deck)).not.toContain('delete files');
  for (const motion of ['down', 'page up', 'escape', 'palette']) {
    expect(offered(deck)).not.toContain(motion);
  }
});

test('a command that writes only opens its box', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  await openPalette(deck);
  type(deck, 'restart');
  press(deck, 'enter');
  expect(overlayOf(deck)).toBe('restart');
  await deck.deployments.list.refresh();
  expect(foreign.writes()).toEqual([]);
});

test('the palette opens a service of the opened deployment and a file of its list', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await openPalette(deck);
  type(deck, 'worker');
  press(deck, 'enter');
  expect(deck.files.state.getState().place?.service).toBe('worker');
  expect(deck.screen.getState().focus).toBe('files');
  await waitFor(() => expect(deck.files.list.state.getState().rows).toHaveLength(1));
  await openPalette(deck);
  type(deck, 'py job');
  expect(offered(deck)).toEqual(['job.py']);
  press(deck, 'enter');
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'file' } });
  await waitFor(() => {
    expect(deck.files.state.getState().opened).toMatchObject({ path: 'job.py' });
  });
  press(deck, 'q');
  expect(deck.screen.getState().focus).toBe('files');
});

test('arrows choose, Tab completes, and the chosen row survives a changed list', async () => {
  await using open = await openDeck({}, async ({ baseUrl, token }) => {
    for (const name of ['stall-b', 'stall-c']) await create(baseUrl, token, name);
  });
  const { deck, foreign } = open;
  await openPalette(deck);
  type(deck, 'stall');
  press(deck, 'down');
  const chosen = chosenName(deck);
  await create(foreign.baseUrl, foreign.token, 'stall-a');
  await create(foreign.baseUrl, foreign.token, 'stall');
  await deck.deployments.list.refresh();
  expect(offered(deck)).toHaveLength(4);
  expect(chosenName(deck)).toBe(chosen);
  press(deck, 'tab');
  expect(openedPalette(deck).text).toBe(chosen);
  expect(chosenName(deck)).toBe(chosen);
  press(deck, 'up', 'up', 'up', 'up', 'up');
  expect(offered(deck)[0]).toBe(chosenName(deck));
});

test('Up in an empty field recalls the entered names, the last first', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '4');
  for (const name of ['fullscreen', 'wrap']) {
    await openPalette(deck);
    type(deck, name);
    press(deck, 'enter');
  }
  await openPalette(deck);
  const text = () => openedPalette(deck).text;
  press(deck, 'up');
  expect(text()).toBe('wrap');
  press(deck, 'up');
  expect(text()).toBe('fullscreen');
  press(deck, 'up');
  expect(text()).toBe('fullscreen');
  press(deck, 'down', 'down');
  expect(text()).toBe('');
  press(deck, 'down', 'up');
  expect(text()).toBe('');
});

test('a pasted text that finds nothing leaves Enter without effect', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await openPalette(deck);
  paste(deck, 'restart bazaar\r'.repeat(700));
  expect(openedPalette(deck).text.length).toBeLessThanOrEqual(4096);
  expect(offered(deck)).toEqual([]);
  press(deck, 'enter', 'tab', 'down', 'up', 'enter');
  expect(overlayOf(deck)).toBe('palette');
  press(deck, 'ctrl+c');
  expect(overlayOf(deck)).toBeUndefined();
});

test('F1 shows the help over the palette, which reopens unchanged', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await openPalette(deck);
  type(deck, 'ref');
  const before = openedPalette(deck);
  press(deck, 'f1');
  expect(overlayOf(deck)).toBe('help');
  press(deck, 'escape');
  expect(openedPalette(deck)).toBe(before);
});

test('in the editor F2 opens the palette, a colon types, and ^T returns from a place', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 600_000 });
  const { deck, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  const opened = await deck.editor.open(place, look);
  if (opened.kind !== 'open') throw new Error('it is not open');
  setScreen(deck.screen, { focus: 'main', main: { kind: 'editor' } });
  press(deck, ':');
  expect(opened.file.text.text()).toBe(':# bazaar\n');
  await openPalette(deck, 'f2');
  expect(offered(deck)).toEqual(
    expect.arrayContaining(['go to line', 'undo', 'suspend', 'history', 'quit', 'go to files']),
  );
  for (const absent of ['save', 'newline', 'down', 'pause']) {
    expect(offered(deck)).not.toContain(absent);
  }
  type(deck, 'undo');
  press(deck, 'enter');
  expect(opened.file.text.text()).toBe('# bazaar\n');
  await openPalette(deck, 'f2');
  type(deck, 'bazaar');
  press(deck, 'enter');
  expect(deck.screen.getState().main.kind).toBe('logs');
  press(deck, 'ctrl+t');
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'editor' } });
});

test('synonyms find commands, ranked below matches by name', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const first = async (pane: string, word: string) => {
    press(deck, pane);
    await openPalette(deck);
    type(deck, word);
    const [name] = offered(deck);
    press(deck, 'escape');
    return name;
  };
  expect(await first('1', 'rm')).toBe('close deployments');
  expect(await first('2', 'rm')).toBe('delete files');
  expect(await first('3', 'rm')).toBe('revoke');
  expect(await first('2', 'get')).toBe('download files');
  expect(await first('2', 'put')).toBe('upload');
  expect(await first('4', 'exit')).toBe('quit');
  expect(await first('4', 'grep')).toBe('search');
  expect(await first('4', 'tail')).toBe('tail');
});

test('commands are named after their effect', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, '4');
  await openPalette(deck);
  expect(offered(deck)).toContain('fill gaps');
  press(deck, 'escape');
  press(deck, 'd');
  await openPalette(deck);
  expect(offered(deck)).toContain('json');
  press(deck, 'escape');
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  await deck.editor.open(place, look);
  setScreen(deck.screen, { focus: 'main', main: { kind: 'editor' } });
  await openPalette(deck, 'f2');
  expect(offered(deck)).toEqual(expect.arrayContaining(['copy', 'cut', 'select']));
});

test('no palette command in any context writes, nor does the Enter after it', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 600_000 });
  const { deck, foreign } = open;
  const { screen } = deck;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  const opened = await deck.editor.open(place, look);
  if (opened.kind !== 'open') throw new Error('it is not open');
  press(deck, '2');
  const contexts = [
    { focus: 'deployments', main: { kind: 'logs' } },
    { focus: 'files', main: { kind: 'logs' } },
    { focus: 'grants', main: { kind: 'logs' } },
    { focus: 'main', main: { kind: 'logs' } },
    { focus: 'main', main: { kind: 'file' } },
    { focus: 'main', main: { kind: 'history' } },
    { focus: 'main', main: { kind: 'editor' } },
  ] as const;
  for (const context of contexts) {
    deck.editor.state.setState({ file: opened.file });
    setScreen(screen, { ...context, overlay: undefined, message: undefined });
    await openPalette(deck, 'f2');
    for (const name of offered(deck)) {
      deck.editor.state.setState({ file: opened.file });
      setScreen(screen, { ...context, overlay: undefined, message: undefined });
      await openPalette(deck, 'f2');
      type(deck, name);
      press(deck, 'enter', 'enter');
    }
  }
  await deck.deployments.list.refresh();
  expect(foreign.writes()).toEqual([]);
});

test('delshp closes shop, whatever is marked, and another deployment is only a name away', async () => {
  await using open = await openDeck({}, async ({ baseUrl, token }) => {
    for (const name of ['shop', 'shop-2']) await create(baseUrl, token, name);
  });
  const { deck, foreign } = open;
  press(deck, '1', 'space', 'space');
  const before = foreign.writes().length;
  await openPalette(deck);
  type(deck, 'delshp');
  const { rows, text } = openedPalette(deck);
  expect(rows(text)).toMatchObject([
    { name: 'close shop', explanation: 'deployment', note: 'delete = close', key: 'X' },
    { name: 'close shop-2', explanation: 'deployment', note: 'delete = close', key: 'X' },
  ]);
  press(deck, 'down', 'enter');
  expect(boxText(await boxOf(deck, 'close shop-2?'))).not.toContain('bazaar');
  expect(foreign.writes()).toHaveLength(before);
});

test('edit, discard and compare take any file or draft by its name', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'config/app.yaml' };
  deck.drafts.typed(place, () => ({ text: 'typed', base: 'as it was' }));
  // A draft of another service is an object, too; its service tells it apart.
  const elsewhere = { ...place, service: 'worker', path: 'job.py' };
  deck.drafts.typed(elsewhere, () => ({ text: 'typed', base: 'as it was' }));
  await waitFor(() => expect(deck.drafts.state.getState().drafts.size).toBe(2));
  const before = foreign.writes().length;
  await openPalette(deck);
  type(deck, 'edit index');
  const { rows } = openedPalette(deck);
  expect(rows('edit index')[0]).toMatchObject({ name: 'edit index.html', explanation: 'file' });
  expect(rows('change index')[0]).toMatchObject({
    name: 'edit index.html',
    note: 'change = edit',
  });
  expect(rows('discard job')[0]).toMatchObject({
    name: 'discard job.py',
    explanation: 'draft, bazaar/worker',
    key: 'U',
  });
  expect(rows('diff app')[0]).toMatchObject({ name: 'compare config/app.yaml' });
  // A file without a draft has none to discard.
  expect(rows('discard index').map(({ name }) => name)).not.toContain('discard index.html');
  press(deck, 'enter');
  await waitFor(() => expect(deck.editor.state.getState().file?.place.path).toBe('index.html'));
  await openPalette(deck, 'f2');
  type(deck, 'discard app');
  press(deck, 'enter');
  expect(boxText(await boxOf(deck, 'discard draft of app.yaml?'))).toContain('bazaar/web');
  expect(foreign.writes()).toHaveLength(before);
});

test('a synonym that was found is named beside the command', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1');
  await openPalette(deck);
  type(deck, 'rm');
  const { rows, text } = openedPalette(deck);
  expect(rows(text)[0]).toMatchObject({ name: 'close deployments', note: 'rm = close' });
});

test('an empty palette lists what was run last first, places too', async () => {
  await using open = await openDeck();
  const { deck } = open;
  for (const name of ['wrap', 'bazaar', 'fullscreen']) {
    press(deck, '4');
    await openPalette(deck);
    type(deck, name);
    press(deck, 'enter');
    press(deck, 'escape');
  }
  press(deck, '4');
  await openPalette(deck);
  expect(offered(deck).slice(0, 3)).toEqual(['fullscreen', 'bazaar', 'wrap']);
  expect(offered(deck).filter((name) => name === 'wrap')).toHaveLength(1);
  expect(openedPalette(deck).total()).toBeGreaterThan(offered(deck).length);
});
