import { expect, test } from 'vitest';
import { firstOrders } from '../../../source/store/lists/order.ts';
import { listIds } from '../../../source/store/deck/rows.ts';
import type { Console } from '../../../source/store/deck/deck.ts';
import type { ListPane } from '../../../source/store/deck/screen.ts';
import { listTitle } from '../../../source/view/parts/list-title.ts';
import { rowUnderCursor } from '../../../source/view/command/row-under-cursor.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { openConsole } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

async function shops(foreign: Foreign): Promise<void> {
  for (const name of ['shop-10', 'shop-2', 'Alpha']) await createDeployment(foreign, name);
}

const names = (console: Console) => listIds(console, 'deployments').map((id) => console.label(id));
const title = (console: Console, pane: ListPane, room?: number) =>
  listTitle(console, pane, ['1 Deployments'], room);

test('o steps through the orders and says so, I turns one round', async () => {
  await using open = await openConsole({}, shops);
  const { console } = open;
  press(console, '1');
  expect(names(console)).toEqual(['bazaar', 'shop-10', 'shop-2', 'Alpha']);
  expect(title(console, 'deployments')).toBe('1 Deployments 4');
  press(console, 'o');
  expect(names(console)).toEqual(['Alpha', 'bazaar', 'shop-2', 'shop-10']);
  expect(title(console, 'deployments')).toBe('1 Deployments 4 by name');
  await said(console, 'Deployments by name, from a to z.');
  press(console, 'I');
  expect(names(console)).toEqual(['shop-10', 'shop-2', 'bazaar', 'Alpha']);
  expect(title(console, 'deployments')).toBe('1 Deployments 4 by -name');
  press(console, 'o', 'o', 'o');
  expect(console.screen.getState().orders).toEqual(firstOrders);
  await said(console, 'Deployments as the service lists them.');
  press(console, 'I');
  expect(names(console)).toEqual(['Alpha', 'shop-2', 'shop-10', 'bazaar']);
});

test('what an order means fits in one row of 80 cells, and leaves the keys theirs', async () => {
  await using open = await openConsole({}, shops);
  const { console } = open;
  for (const pane of ['1', '2', '3']) {
    press(console, pane);
    for (const key of ['o', 'I', 'o', 'I', 'o', 'I', 'o', 'I', 'o', 'I']) {
      press(console, key);
      const { text = '' } = console.screen.getState().message ?? {};
      expect(text).toMatch(/^(?:Deployments|Files|Grants) /);
      expect(text.length, text).toBeLessThanOrEqual(80);
    }
  }
});

test('the cursor keeps its row through orders, filters and a state that changes', async () => {
  await using open = await openConsole({}, shops);
  const { console, foreign } = open;
  const under = () => console.label(rowUnderCursor(console) ?? '');
  press(console, '1', 'j', 'j');
  expect(under()).toBe('shop-2');
  for (const key of ['o', 'o', 'o', 'I', 'I']) {
    press(console, key);
    expect(under()).toBe('shop-2');
  }
  const { by } = console.screen.getState().orders.deployments;
  expect(by).toBe('state');
  const id = rowUnderCursor(console) ?? '';
  const { index } = console.screen.getState().cursors.deployments;
  await fetch(`${foreign.baseUrl}/api/v1/deployments/${id}/close`, {
    method: 'POST',
    headers: { authorization: `Bearer ${foreign.token}` },
  });
  console.refresh.now();
  await waitFor(() => expect(names(console).at(-1)).toBe('shop-2'));
  expect(under()).toBe('shop-2');
  expect(console.screen.getState().cursors.deployments.index).not.toBe(index);
});

test('marks stay on their files in another order', async () => {
  await using open = await openConsole({ files: 'records' });
  const { console } = open;
  press(console, '2');
  const ids = listIds(console, 'files');
  press(console, 'G', 'space');
  const marks = [...console.screen.getState().marks];
  expect(marks).toEqual([ids.at(-1)]);
  press(console, 'o');
  await said(console, 'Files by size, largest first.');
  expect([...console.screen.getState().marks]).toEqual(marks);
  expect(listIds(console, 'files').toSorted()).toEqual([...ids].toSorted());
});

test('a filter and the order of its rows stand in the title; the order gives way first', async () => {
  await using open = await openConsole({}, shops);
  const { console } = open;
  press(console, '1', '/');
  type(console, 'shop');
  press(console, 'enter', 'o', 'o');
  expect(names(console)).toEqual(['shop-2', 'shop-10']);
  expect(title(console, 'deployments')).toBe('1 Deployments 2/4 by age /shop');
  expect(title(console, 'deployments', 30)).toBe('1 Deployments 2/4 by age /shop');
  expect(title(console, 'deployments', 29)).toBe('1 Deployments 2/4 /shop');
  expect(listTitle(console, 'deployments', ['2 Files', 'shop/web'], 20)).toBe('2 Files 2/4 /shop');
});

test('o and I do nothing in pane 4', async () => {
  await using open = await openConsole();
  press(open.console, '4', 'o', 'I');
  expect(open.console.screen.getState().orders).toEqual(firstOrders);
});
