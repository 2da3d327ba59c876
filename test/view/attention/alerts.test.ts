import { expect, test } from 'vitest';
import type { Foreign } from '../../servers/foreign.ts';
import { alertLine } from '../../../source/view/attention/alert-text.ts';
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
  const [first] = deck.attention.alerts.state.getState();
  press(deck, '1', '!');
  expect(deck.opened.getState().id).toBe(first);
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
  expect(bar()).not.toContain('more');
  press(deck, '!');
  expect(bar()).toBe('');
  expect(deck.opened.getState().id).not.toBe(first);
});

test('! without a failure says so', async () => {
  await using open = await openDeck();
  press(open.deck, '1', '!');
  expect(open.deck.screen.getState().message?.text).toBe('Nothing is failing.');
});
