import { expect, test } from 'vitest';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck } from '../open-deck.ts';
import { goToFile, press, type } from '../press-keys.ts';

async function withShop() {
  const open = await openDeck({}, (foreign) => createDeployment(foreign, 'shop'));
  const { deployments, sample } = open.foreign;
  const shop = [...deployments.values()].find(({ title }) => title === 'shop')?.id;
  if (shop === undefined) throw new Error('there is no shop');
  return { open, deck: open.deck, shop, sample };
}

const filterOf = ({ deck }: Awaited<ReturnType<typeof withShop>>) => {
  const { active, services } = deck.opened.getState().tail?.filter.state.getState() ?? {};
  return {
    text: active?.[0]?.query.text,
    services: services === undefined ? undefined : [...services],
  };
};

test('the filter of a log returns with its deployment, and the other one is not filtered', async () => {
  const world = await withShop();
  await using open = world.open;
  const { deck, sample, shop } = world;
  press(deck, '4', '&');
  type(deck, 'timeout');
  press(deck, 'enter');
  deck.opened.getState().tail?.filter.setShown({ services: new Set(['web']), members: undefined });
  deck.opened.open(shop);
  expect(filterOf(world)).toEqual({ text: undefined, services: undefined });
  deck.opened.open(sample);
  expect(filterOf(world)).toEqual({ text: 'timeout', services: ['web'] });
  open.foreign.append(sample, 'web', 'no match');
  open.foreign.append(sample, 'web', 'a timeout');
  await waitFor(() => {
    const { entries } = deck.opened.getState().tail ?? {};
    const shown = entries?.slice(0, entries.length).filter(({ kind }) => kind === 'line');
    expect(shown).toMatchObject([{ line: { logLine: 'a timeout' } }]);
  });
});

test('a filter that was cleared does not return, and a joined log has its own', async () => {
  const world = await withShop();
  await using open = world.open;
  const { deck, sample, shop } = world;
  deck.opened.getState().tail?.filter.setQuery({ text: 'one', regex: false });
  deck.opened.open(sample, [sample, shop]);
  expect(filterOf(world).text).toBeUndefined();
  deck.opened.getState().tail?.filter.setQuery({ text: 'both', regex: true });
  deck.opened.open(sample);
  expect(filterOf(world).text).toBe('one');
  deck.opened.getState().tail?.filter.setQuery(undefined);
  deck.opened.open(sample, [sample, shop]);
  expect(filterOf(world).text).toBe('both');
  deck.opened.open(sample);
  expect(filterOf(world).text).toBeUndefined();
  expect(open.foreign.writes()).toHaveLength(1);
});

test('marked files return with their service, until they are unmarked', async () => {
  const world = await withShop();
  await using _open = world.open;
  const { deck, sample, shop } = world;
  const marks = () => [...deck.screen.getState().marks];
  goToFile(deck, 'README.md');
  press(deck, 'space');
  expect(marks()).toEqual(['README.md']);
  deck.opened.open(shop);
  expect(marks()).toEqual([]);
  deck.opened.open(sample);
  expect(marks()).toEqual(['README.md']);
  deck.opened.chooseService('worker');
  expect(marks()).toEqual([]);
  deck.opened.chooseService('web');
  expect(marks()).toEqual(['README.md']);
  press(deck, '2', 'escape');
  deck.opened.open(shop);
  deck.opened.open(sample);
  expect(marks()).toEqual([]);
});
