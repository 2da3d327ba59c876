import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import type { Console } from '../../../source/store/deck/deck.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { ConsoleContext } from '../../../source/view/parts/context.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { openConsole } from '../open-deck.ts';
import { boxOf, press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

const names = ['shop-1', 'shop-2', 'shop-3'];

async function threeShops(foreign: Foreign): Promise<void> {
  for (const name of names) await createDeployment(foreign, name);
}

function idOf(foreign: Foreign, name: string): string {
  for (const { id, title } of foreign.deployments.values()) if (title === name) return id;
  throw new Error(`no deployment ${name}`);
}

function goTo(console: Console, name: string): void {
  const { rows } = console.deployments.list.state.getState();
  const index = rows.findIndex(({ value }) => value.name === name);
  const id = rows[index]?.value.id;
  console.screen.setState(({ cursors }) => ({
    focus: 'deployments',
    cursors: { ...cursors, deployments: { id, index } },
  }));
}

const closes = (foreign: Foreign) =>
  foreign.requests.filter(({ path }) => path.endsWith('/close')).length;

function marked(console: Console, foreign: Foreign): readonly (string | undefined)[] {
  const { deploymentMarks } = console.screen.getState();
  return [...deploymentMarks].map((id) => foreign.deployments.get(id)?.title);
}

test('a name that differs closes nothing, and a refresh never moves what the box is about', async () => {
  await using open = await openConsole({}, threeShops);
  const { console, foreign } = open;
  goTo(console, 'shop-2');
  press(console, 'X');
  const question = await boxOf(console, 'close shop-2?');
  await createDeployment(foreign, 'newcomer');
  await console.deployments.list.refresh();
  expect(console.screen.getState().overlay).toMatchObject({ question });
  type(console, 'shop-3');
  press(console, 'tab', 'enter');
  expect(console.screen.getState().overlay).toMatchObject({ kind: 'question', text: 'shop-3' });
  press(console, 'escape');
  await console.deployments.list.refresh();
  expect(closes(foreign)).toBe(0);
  press(console, 'X');
  await boxOf(console, 'close shop-2?');
  type(console, 'shop-2');
  press(console, 'tab', 'enter');
  await said(console, 'Closed shop-2.');
  expect(foreign.deployments.get(idOf(foreign, 'shop-2'))?.status).toBe('stopped');
  expect(closes(foreign)).toBe(1);
});

test('a box that is left says that nothing is closed, also with the name typed', async () => {
  await using open = await openConsole({}, threeShops);
  const { console, foreign } = open;
  goTo(console, 'shop-2');
  press(console, 'X');
  await boxOf(console, 'close shop-2?');
  type(console, 'shop-2');
  press(console, 'enter');
  await said(console, 'Nothing is closed.');
  console.screen.setState({ message: undefined });
  press(console, 'X');
  await boxOf(console, 'close shop-2?');
  press(console, 'escape');
  await said(console, 'Nothing is closed.');
  expect(closes(foreign)).toBe(0);
});

test('of three marked ones that which failed stays marked and is closed alone by the same key', async () => {
  await using open = await openConsole({}, threeShops);
  const { console, foreign } = open;
  goTo(console, 'shop-1');
  press(console, 'space', 'space', 'space');
  expect(marked(console, foreign)).toEqual(names);
  press(console, 'X');
  const question = await boxOf(console, 'close 3 deployments?');
  expect(question.lines.join('\n')).toMatch(/shop-1.*\n.*shop-2.*\n.*shop-3/);
  foreign.failNext(1, { status: 503, method: 'POST' });
  type(console, 'close 3');
  press(console, 'tab', 'enter');
  await said(console, 'Closed 2 of 3. shop-1 failed: 503. X asks again.');
  expect(marked(console, foreign)).toEqual(['shop-1']);
  const view = render(
    <ConsoleContext value={console}>
      <App />
    </ConsoleContext>,
  );
  await waitFor(() => expect(view.lastFrame()).toContain('failed 503'));
  view.unmount();
  press(console, 'X');
  await boxOf(console, 'close shop-1?');
  type(console, 'shop-1');
  press(console, 'tab', 'enter');
  await said(console, 'Closed shop-1.');
  expect(marked(console, foreign)).toEqual([]);
  expect(closes(foreign)).toBe(4);
});

test('marks go with their rows, and Esc takes them back', async () => {
  await using open = await openConsole({}, threeShops);
  const { console, foreign } = open;
  goTo(console, 'shop-1');
  press(console, 'space', 'space');
  press(console, 'escape');
  expect(marked(console, foreign)).toEqual([]);
  goTo(console, 'shop-1');
  press(console, 'space', 'space');
  (foreign.deployments as Map<string, unknown>).delete(idOf(foreign, 'shop-1'));
  await console.deployments.list.refresh();
  expect(marked(console, foreign)).toEqual(['shop-2']);
});

test('^C stops before the next, and what was not sent stays marked', async () => {
  await using open = await openConsole({}, threeShops);
  const { console, foreign } = open;
  goTo(console, 'shop-1');
  press(console, 'space', 'space', 'space', 'X');
  await boxOf(console, 'close 3 deployments?');
  type(console, 'close 3');
  foreign.delay(50);
  press(console, 'tab', 'enter');
  await waitFor(() => expect(console.batch.isUnderWay()).toBe(true));
  press(console, 'q');
  await said(console, 'Closing is under way. ^C stops before the next.');
  press(console, 'X');
  expect(console.screen.getState().overlay).toBeUndefined();
  press(console, 'ctrl+c');
  await said(console, 'Closed 1 of 3. Stopped: 2 not sent. X asks again.');
  expect(marked(console, foreign)).toEqual(['shop-2', 'shop-3']);
  expect(closes(foreign)).toBe(1);
});

test('two marked ones are restarted after one box, and what counts is held by it', async () => {
  await using open = await openConsole({}, threeShops);
  const { console, foreign } = open;
  const id = idOf(foreign, 'shop-1');
  console.restarts.changed(id, { service: 'web', path: 'a' });
  goTo(console, 'shop-1');
  press(console, 'space', 'space', 'r');
  const question = await boxOf(console, 'restart 2 deployments?');
  expect(question.lines.at(-1)).toBe('Applies 1 change.');
  expect(question.holdsRestarts).toBe(true);
  press(console, 'tab', 'enter');
  await said(console, 'Restart of 2 deployments accepted.');
  const sent = foreign.writes().filter(({ path }) => path.endsWith('/restart'));
  expect(sent.map(({ path }) => path.split('/').at(-2))).toEqual([id, idOf(foreign, 'shop-2')]);
  expect(console.restarts.state.getState().has(id)).toBe(false);
  expect(marked(console, foreign)).toEqual([]);
});

test('a closed deployment has a sentence and no box, and is left out of a batch', async () => {
  await using open = await openConsole({}, async (foreign) => {
    await threeShops(foreign);
    const shop = foreign.deployments.get(idOf(foreign, 'shop-1'));
    if (shop !== undefined) Object.assign(shop, { status: 'closed' });
  });
  const { console } = open;
  goTo(console, 'shop-1');
  press(console, 'X');
  await said(console, 'shop-1 is closed already; nothing reopens it.');
  expect(console.screen.getState().overlay).toBeUndefined();
  press(console, 'space', 'space', 'X');
  await boxOf(console, 'close shop-2?');
});
