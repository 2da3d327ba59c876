import { expect, test } from 'vitest';
import type { Foreign } from '../../servers/foreign.ts';
import { alertLine } from '../../../source/view/alerts/alert-text.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Adds two deployments that fail. */
async function failing(foreign: Foreign): Promise<void> {
  for (const name of ['payments', 'orders']) await createDeployment(foreign, name);
  for (const deployment of foreign.deployments.values()) {
    if (deployment.title !== 'bazaar') Object.assign(deployment, { status: 'failed' });
  }
}

test('the bar names the newest failure and counts the others, until ! has opened them', async () => {
  await using open = await openDeck({}, failing);
  const { deck } = open;
  const bar = () =>
    alertLine(deck, 80)
      .map(({ text }) => text)
      .join('');
  await waitFor(() => {
    expect(bar()).toMatch(/^(?:orders|payments) has failed.*\. ! opens its log \(1 more\)\.$/);
  });
  const [first] = deck.alerts.state.getState();
  press(deck, '1', '!');
  expect(first).toEqual({ about: 'deployment', id: deck.opened.getState().id });
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
  expect(bar()).not.toContain('more');
  press(deck, '!');
  expect(bar()).toBe('');
  expect(first).not.toEqual({ about: 'deployment', id: deck.opened.getState().id });
});

test('! without an alert says so', async () => {
  await using open = await openDeck();
  press(open.deck, '1', '!');
  expect(open.deck.screen.getState().message?.text).toBe('Nothing needs attention.');
});

test('a grant that ends within a day is named, and ! goes to its row', async () => {
  await using open = await openDeck({}, ({ grants, wallet }) => {
    const createdAt = new Date().toISOString();
    const expiresAt = new Date(Date.now() + 5 * 3_600_000 + 60_000).toISOString();
    const grant = { id: 'g', grantor: '0xpayer', grantee: wallet, limit: 5, spent: 0 };
    grants.set('g', { ...grant, createdAt, expiresAt });
  });
  const { deck } = open;
  await waitFor(() => expect(deck.alerts.state.getState()).toHaveLength(1));
  const bar = alertLine(deck, 80).map(({ text }) => text);
  expect(bar.join('')).toMatch(/^The grant from 0x\S+ ends in 5h\. ! opens it\.$/);
  expect(deck.alerts.kinds()).toEqual(['grant ending']);
  press(deck, '!');
  expect(deck.screen.getState().focus).toBe('grants');
  expect(alertLine(deck, 80)).toEqual([]);
});
