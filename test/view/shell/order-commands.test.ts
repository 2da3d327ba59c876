import { expect, test } from 'vitest';
import { firstOrders } from '../../../source/store/lists/order.ts';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { ListPane } from '../../../source/store/lists/list-panes.ts';
import { listTitle } from '../../../source/view/parts/list-title.ts';
import { rowUnderCursor } from '../../../source/view/command/row-under-cursor.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { openDeck } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

async function shops(foreign: Foreign): Promise<void> {
  for (const name of ['shop-10', 'shop-2', 'Alpha']) await createDeployment(foreign, name);
}

const names = (deck: Deck) => deck.lists.deployments.ids().map((id) => deck.deployments.label(id));
const title = (deck: Deck, pane: ListPane, room?: number) =>
  listTitle(deck, pane, ['1 Deployments'], room);

test('o selects the next order and reports it, I reverses it', async () => {
  await using open = await openDeck({}, shops);
  const { deck } = open;
  press(deck, '1');
  expect(names(deck)).toEqual(['Alpha', 'bazaar', 'shop-2', 'shop-10']);
  expect(title(deck, 'deployments')).toBe('1 Deployments 4');
  press(deck, 'o');
  expect(names(deck)).toEqual(['Alpha', 'bazaar', 'shop-2', 'shop-10']);
  expect(title(deck, 'deployments')).toBe('1 Deployments 4 by name');
  await said(deck, 'Deployments by name, a to z.');
  press(deck, 'I');
  expect(names(deck)).toEqual(['shop-10', 'shop-2', 'bazaar', 'Alpha']);
  expect(title(deck, 'deployments')).toBe('1 Deployments 4 by -name');
  press(deck, 'o', 'o', 'o', 'o');
  await said(deck, 'Deployments as listed by the service.');
  expect(names(deck)).toEqual(['bazaar', 'shop-10', 'shop-2', 'Alpha']);
  press(deck, 'I');
  expect(names(deck)).toEqual(['Alpha', 'shop-2', 'shop-10', 'bazaar']);
  press(deck, 'o');
  expect(deck.screen.getState().orders).toEqual(firstOrders);
  await said(deck, 'Deployments by attention, most urgent first.');
});

test('the meaning of an order and its keys fit one row of 80 cells', async () => {
  await using open = await openDeck({}, shops);
  const { deck } = open;
  for (const pane of ['1', '2', '3']) {
    press(deck, pane);
    for (const key of ['o', 'I', 'o', 'I', 'o', 'I', 'o', 'I', 'o', 'I']) {
      press(deck, key);
      const { text = '' } = deck.screen.getState().message ?? {};
      expect(text).toMatch(/^(?:Deployments|Files|Grants) /);
      expect(text.length, text).toBeLessThanOrEqual(80);
    }
  }
});

test('the cursor keeps its row through orders, filters and a state that changes', async () => {
  await using open = await openDeck({}, shops);
  const { deck, foreign } = open;
  const under = () => deck.deployments.label(rowUnderCursor(deck) ?? '');
  press(deck, '1', 'g', 'j', 'j');
  expect(under()).toBe('shop-2');
  for (const key of ['o', 'o', 'I', 'I', 'o', 'o', 'o', 'o']) {
    press(deck, key);
    expect(under()).toBe('shop-2');
  }
  const { by } = deck.screen.getState().orders.deployments;
  expect(by).toBe('attention');
  const id = rowUnderCursor(deck) ?? '';
  const { index } = deck.screen.getState().cursors.deployments;
  await fetch(`${foreign.baseUrl}/api/v1/deployments/${id}/close`, {
    method: 'POST',
    headers: { authorization: `Bearer ${foreign.token}` },
  });
  deck.refresh.now();
  await waitFor(() => expect(names(deck).at(-1)).toBe('shop-2'));
  expect(under()).toBe('shop-2');
  expect(deck.screen.getState().cursors.deployments.index).not.toBe(index);
});

test('marks stay on their files when the order changes', async () => {
  await using open = await openDeck({ files: 'records' });
  const { deck } = open;
  press(deck, '2');
  const ids = deck.lists.files.ids();
  press(deck, 'G', 'space');
  const marks = [...deck.screen.getState().marks];
  expect(marks).toEqual([ids.at(-1)]);
  press(deck, 'o');
  await said(deck, 'Files by size, largest first.');
  expect([...deck.screen.getState().marks]).toEqual(marks);
  expect(deck.lists.files.ids().toSorted()).toEqual([...ids].toSorted());
});

test('the title shows filter and order, and drops the order first', async () => {
  let time = Date.now() - 3_600_000;
  await using open = await openDeck({ now: () => (time += 1000) }, shops);
  const { deck } = open;
  press(deck, '1', '/');
  type(deck, 'shop');
  press(deck, 'enter', 'o', 'o');
  expect(names(deck)).toEqual(['shop-2', 'shop-10']);
  expect(title(deck, 'deployments')).toBe('1 Deployments 2/4 by age /shop');
  expect(title(deck, 'deployments', 30)).toBe('1 Deployments 2/4 by age /shop');
  expect(title(deck, 'deployments', 29)).toBe('1 Deployments 2/4 /shop');
  expect(listTitle(deck, 'deployments', ['2 Files', 'shop/web'], 20)).toBe('2 Files 2/4 /shop');
});

test('o and I do nothing in pane 4', async () => {
  await using open = await openDeck();
  press(open.deck, '4', 'o', 'I');
  expect(open.deck.screen.getState().orders).toEqual(firstOrders);
});
