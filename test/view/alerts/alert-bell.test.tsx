import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import type { Foreign } from '../../servers/foreign.ts';
import { AlertBell } from '../../../source/view/alerts/alert-bell.tsx';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck } from '../open-deck.ts';

async function fail(foreign: Foreign, ...names: readonly string[]): Promise<void> {
  for (const name of names) await createDeployment(foreign, name);
  for (const deployment of foreign.deployments.values()) {
    if (names.includes(deployment.title)) Object.assign(deployment, { status: 'failed' });
  }
}

test('alerts that begin at the same time ring the bell once, unless it is off', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const ring = vi.fn<() => void>();
  const drawn = render(
    <DeckContext value={deck}>
      <AlertBell ring={ring} />
    </DeckContext>,
  );
  const alerts = () => deck.alerts.state.getState().length;
  await fail(foreign, 'payments', 'orders');
  await deck.deployments.list.refresh();
  await waitFor(() => expect(alerts()).toBe(2));
  expect(ring).toHaveBeenCalledTimes(1);
  const [first] = deck.alerts.state.getState();
  if (first !== undefined) deck.alerts.close(first);
  expect(ring).toHaveBeenCalledTimes(1);
  deck.screen.appearance.setBell(false);
  await fail(foreign, 'shop');
  await deck.deployments.list.refresh();
  await waitFor(() => expect(alerts()).toBe(2));
  expect(ring).toHaveBeenCalledTimes(1);
  drawn.unmount();
});
