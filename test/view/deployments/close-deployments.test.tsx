import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { openDeck } from '../open-deck.ts';
import { boxOf, press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';
import { boxText } from '../../support/box-text.ts';

const names = ['shop-1', 'shop-2', 'shop-3'];

async function threeShops(foreign: Foreign): Promise<void> {
  for (const name of names) await createDeployment(foreign, name);
}

function idOf(foreign: Foreign, name: string): string {
  for (const { id, title } of foreign.deployments.values()) if (title === name) return id;
  throw new Error(`no deployment ${name}`);
}

function goTo(deck: Deck, name: string): void {
  const { rows } = deck.deployments.list.state.getState();
  const index = rows.findIndex(({ value }) => value.name === name);
  const id = rows[index]?.value.id;
  setScreen(deck.screen, ({ cursors }) => ({
    focus: 'deployments',
    cursors: { ...cursors, deployments: { id, index } },
  }));
}

const closes = (foreign: Foreign) =>
  foreign.requests.filter(({ path }) => path.endsWith('/close')).length;

function marked(deck: Deck, foreign: Foreign): readonly (string | undefined)[] {
  const { deploymentMarks } = deck.screen.getState();
  return [...deploymentMarks].map((id) => foreign.deployments.get(id)?.title);
}

test('a wrong name closes nothing, and a refresh does not change the deployment of the box', async () => {
  await using open = await openDeck({}, threeShops);
  const { deck, foreign } = open;
  goTo(deck, 'shop-2');
  press(deck, 'X');
  const question = await boxOf(deck, 'close shop-2?');
  await createDeployment(foreign, 'newcomer');
  await deck.deployments.list.refresh();
  expect(deck.screen.getState().overlay).toMatchObject({ question });
  type(deck, 'shop-3');
  press(deck, 'tab', 'enter');
  expect(deck.screen.getState().overlay).toMatchObject({ kind: 'question', text: 'shop-3' });
  press(deck, 'escape');
  await deck.deployments.list.refresh();
  expect(closes(foreign)).toBe(0);
  press(deck, 'X');
  await boxOf(deck, 'close shop-2?');
  type(deck, 'shop-2');
  press(deck, 'tab', 'enter');
  await said(deck, 'Closed shop-2.');
  expect(foreign.deployments.get(idOf(foreign, 'shop-2'))?.status).toBe('stopped');
  expect(closes(foreign)).toBe(1);
});

test('a cancelled box says that nothing was closed, also with the name typed', async () => {
  await using open = await openDeck({}, threeShops);
  const { deck, foreign } = open;
  goTo(deck, 'shop-2');
  press(deck, 'X');
  await boxOf(deck, 'close shop-2?');
  type(deck, 'shop-2');
  press(deck, 'enter');
  await said(deck, 'Nothing was closed.');
  setScreen(deck.screen, { message: undefined });
  press(deck, 'X');
  await boxOf(deck, 'close shop-2?');
  press(deck, 'escape');
  await said(deck, 'Nothing was closed.');
  expect(closes(foreign)).toBe(0);
});

test('the failed one of three keeps its mark, and the same key closes it alone', async () => {
  await using open = await openDeck({}, threeShops);
  const { deck, foreign } = open;
  goTo(deck, 'shop-1');
  press(deck, 'space', 'space', 'space');
  expect(marked(deck, foreign)).toEqual(names);
  press(deck, 'X');
  const question = await boxOf(deck, 'close 3 deployments?');
  expect(boxText(question)).toMatch(/shop-1.*\n.*shop-2.*\n.*shop-3/);
  foreign.failNext(1, { status: 503, method: 'POST' });
  type(deck, 'close 3');
  press(deck, 'tab', 'enter');
  await said(deck, 'Closed 2 of 3. shop-1 failed (503). X: close again.');
  expect(marked(deck, foreign)).toEqual(['shop-1']);
  const view = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  await waitFor(() => expect(view.lastFrame()).toContain('failed 503'));
  view.unmount();
  press(deck, 'X');
  await boxOf(deck, 'close shop-1?');
  type(deck, 'shop-1');
  press(deck, 'tab', 'enter');
  await said(deck, 'Closed shop-1.');
  expect(marked(deck, foreign)).toEqual([]);
  expect(closes(foreign)).toBe(4);
});

test('marks follow their rows, and Esc removes them', async () => {
  await using open = await openDeck({}, threeShops);
  const { deck, foreign } = open;
  goTo(deck, 'shop-1');
  press(deck, 'space', 'space');
  press(deck, 'escape');
  expect(marked(deck, foreign)).toEqual([]);
  goTo(deck, 'shop-1');
  press(deck, 'space', 'space');
  (foreign.deployments as Map<string, unknown>).delete(idOf(foreign, 'shop-1'));
  await deck.deployments.list.refresh();
  expect(marked(deck, foreign)).toEqual(['shop-2']);
});

test('^C stops before the next, and unsent deployments stay marked', async () => {
  await using open = await openDeck({}, threeShops);
  const { deck, foreign } = open;
  goTo(deck, 'shop-1');
  press(deck, 'space', 'space', 'space', 'X');
  await boxOf(deck, 'close 3 deployments?');
  type(deck, 'close 3');
  foreign.delay(50);
  press(deck, 'tab', 'enter');
  await waitFor(() => expect(deck.deployments.batch.isUnderWay()).toBe(true));
  press(deck, 'q');
  await said(deck, 'Closing is running. ^C stops before the next.');
  press(deck, 'X');
  expect(deck.screen.getState().overlay).toBeUndefined();
  press(deck, 'ctrl+c');
  await said(deck, 'Closed 1 of 3. Stopped: 2 not sent. X: close again.');
  expect(marked(deck, foreign)).toEqual(['shop-2', 'shop-3']);
  expect(closes(foreign)).toBe(1);
});

test('one box restarts two marked deployments and pauses their countdowns', async () => {
  await using open = await openDeck({}, threeShops);
  const { deck, foreign } = open;
  const id = idOf(foreign, 'shop-1');
  deck.restarts.filesChanged(id, { service: 'web', path: 'a' });
  for (const name of ['shop-1', 'shop-2']) {
    goTo(deck, name);
    press(deck, 'space');
  }
  press(deck, 'r');
  const question = await boxOf(deck, 'restart 2 deployments?');
  expect(question.lines.at(-1)).toBe('Applies 1 change.');
  expect(question.pausesRestarts).toBe(true);
  press(deck, 'tab', 'enter');
  await said(deck, '2 deployments are restarting.');
  const sent = foreign.writes().filter(({ path }) => path.endsWith('/restart'));
  expect(sent.map(({ path }) => path.split('/').at(-2))).toEqual([id, idOf(foreign, 'shop-2')]);
  expect(deck.restarts.state.getState().has(id)).toBe(false);
  expect(marked(deck, foreign)).toEqual([]);
});

test('a closed deployment gets a message instead of a box, and is not part of a batch', async () => {
  await using open = await openDeck({}, async (foreign) => {
    await threeShops(foreign);
    const shop = foreign.deployments.get(idOf(foreign, 'shop-1'));
    if (shop !== undefined) Object.assign(shop, { status: 'closed' });
  });
  const { deck } = open;
  goTo(deck, 'shop-1');
  press(deck, 'X');
  await said(deck, "shop-1 is already closed and can't be reopened.");
  expect(deck.screen.getState().overlay).toBeUndefined();
  press(deck, 'space');
  goTo(deck, 'shop-2');
  press(deck, 'space', 'X');
  await boxOf(deck, 'close shop-2?');
});
