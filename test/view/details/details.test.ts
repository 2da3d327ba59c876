import { setScreen } from '../../support/set-screen.ts';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { startOfList } from '../../../source/store/lists/cursor.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import { openView } from '../../../source/store/deck/screen/main-view.ts';
import type { Clipboard } from '../../../source/view/command/copy.ts';
import { deploymentDetails } from '../../../source/view/deployments/details.ts';
import { topWithCursor } from '../../../source/view/details/cursor.ts';
import { type DetailRow, lineWithin, valueIn } from '../../../source/view/text/detail-rows.ts';
import { fitLine } from '../../../source/view/text/fit.ts';
import { localMinuteText } from '../../../source/store/time/time-of-day.ts';
import { detailRows, detailUnderCursor, isDetails } from '../../../source/view/details/details.ts';
import { jsonDetails, jsonText } from '../../../source/view/details/raw.ts';
import { pressCopy } from '../copy-key.ts';
import { openDeck } from '../open-deck.ts';
import { press, said } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const shop: Deployment = {
  id: 'x-4711',
  name: 'shop',
  state: 'active',
  createdAt: '2026-11-18T12:00:00Z',
  services: [
    {
      name: 'web',
      state: 'active',
      restarts: 2,
      startedAt: '2026-11-21T11:00:00Z',
      exposes: ['3000 as 80, global'],
      otherFields: { image: 'nginx', limits: { cpu: 1 } },
    },
  ],
  sdl: 'services:\n  web:\n',
};

const textOf = ({ line }: DetailRow) => line.map(({ text }) => text).join('');

test('Details tells why the last restart was undone', () => {
  const rolledBack = { at: '2026-11-21T11:58:00Z', reason: 'web exited 1' };
  const rows = deploymentDetails({ value: { ...shop, rolledBack }, unknown: {} }, now);
  expect(rows.map(textOf)).toContain('rolled back 2m ago: web exited 1');
});

/** Cells of a pane of 40 columns behind the mark of the cursor. */
const narrow = 39;

const seenIn = (row: DetailRow, cells: number) =>
  fitLine(lineWithin(row, cells), cells)
    .map(({ text }) => text)
    .join('')
    .trimEnd();

test('Details of a narrow pane keep ages, and shorten what is before them', () => {
  const [web] = shop.services;
  const job = { name: 'job', state: 'failed', instances: 1, running: 0, exitCode: 3 };
  const services = [
    { ...web, name: 'web', instances: 2, running: 2, otherFields: {} },
    { ...job, startedAt: '2026-11-21T11:58:00Z', restarts: 4 },
  ];
  const createdAt = '2026-08-01T12:34:56.789Z';
  const rows = deploymentDetails({ value: { ...shop, createdAt, services }, unknown: {} }, now);
  const row = (begin: string) => rows.find((one) => textOf(one).startsWith(begin)) ?? rows[0];
  const seen = (begin: string, cells: number) => seenIn(row(begin) as DetailRow, cells);
  expect(seen('created', 100)).toBe(`created     ${createdAt}  111d ago`);
  expect(seen('created', narrow)).toBe(
    `created     ${localMinuteText(Date.parse(createdAt))}, 111d ago`,
  );
  expect(seen('  web', narrow)).toContain('active up 1h, 2/2, 2');
  expect(seen('  job', narrow)).toContain('failed started 2m ago, 0/1');
  expect(seen('  job', 100)).toContain('failed      0/1 running, started 2m ago, 4 restarts');
});

function clipboardOf(): { readonly clipboard: Clipboard; readonly copied: string[] } {
  const copied: string[] = [];
  const copy = async (text: string) => {
    copied.push(text);
    return { bytes: text.length, isSent: true, kept: { file: 'copied' } };
  };
  return { copied, clipboard: { copy, hasCopied: () => true, print: async () => {} } };
}

/** Puts the cursor of Details on the first row that has this in it. */
function goTo(deck: Deck, text: string): void {
  const { main } = deck.screen.getState();
  if (!isDetails(main)) throw new Error('no details');
  const rows = detailRows(deck, main, now);
  const index = rows.findIndex((row) => textOf(row).includes(text));
  setScreen(deck.screen, { detailCursor: { id: rows[index]?.key, index } });
}

describe('details of a deployment', () => {
  const region = { zone: 3, name: 'somewhere far away from here' };
  const rows = deploymentDetails({ value: shop, unknown: { region } }, now);
  const row = (text: string) => rows.find((one) => textOf(one).includes(text));

  it('copy the value without its annotation, and the whole field it belongs to', () => {
    expect(row('created')).toMatchObject({ value: '2026-11-18T12:00:00Z' });
    expect(textOf(row('created') ?? { key: '', line: [] })).toContain('3d ago');
    expect(row('"zone"')).toMatchObject({ value: '3', whole: JSON.stringify(region, null, 2) });
    expect(row('  services:')).toMatchObject({ value: 'services:', whole: shop.sdl });
    expect(JSON.parse(row('  web')?.whole ?? '')).toMatchObject({
      name: 'web',
      restarts: 2,
      image: 'nginx',
    });
  });

  it('show the volumes of a service with their use, the size in each instance and their kind', () => {
    const volume = { mount: '/var/lib/data', readOnly: false, size: 2 ** 30 } as const;
    const web = {
      name: 'web',
      instances: 2,
      volumes: [
        { ...volume, name: 'data', kind: 'persistent', used: 4096 },
        { ...volume, name: 'new', kind: 'persistent', readOnly: true },
        { ...volume, name: 'cache', kind: 'temporary', size: undefined },
        { ...volume, name: 'shm', kind: 'memory' },
      ],
    } as const;
    const text = (services: Deployment['services']) =>
      deploymentDetails({ value: { id: 'x-1', services }, unknown: {} }, now).map(textOf);
    const lines = text([web]);
    const tail = (name: string) => lines.find((line) => line.startsWith(`    ${name} `))?.slice(16);
    expect(tail('data')).toBe('/var/lib/data           4.1 kB of 2 x 1.1 GB');
    expect(tail('new')).toBe('/var/lib/data           read-only, 2 x 1.1 GB');
    expect(tail('cache')).toBe('/var/lib/data           empty at each start');
    expect(tail('shm')).toBe('/var/lib/data           in memory, 2 x 1.1 GB');
    expect(text([{ ...web, instances: 1 }]).join('\n')).toContain('4.1 kB of 1.1 GB');
  });

  it('show services with state, age, restarts, ports of the SDL and unknown fields', () => {
    const text = rows.map(textOf).join('\n');
    expect(text).toMatch(/web +active +up 1h, 2 restarts/);
    expect(text).toMatch(/exposes +3000 as 80, global {2}from its SDL/);
    expect(text).toMatch(/image +"nginx"/);
    expect(text).toMatch(/limits +\{"cpu":1\}/);
  });

  it('name the ports of a service, and none where it listens nowhere', () => {
    const lines = (ports: unknown) =>
      deploymentDetails(
        { value: { id: 'x-1', services: [{ name: 'web', otherFields: { ports } }] }, unknown: {} },
        now,
      ).flatMap((each) => textOf(each).match(/^ {4}ports.*/) ?? []);
    expect(lines([31001, 31002])).toEqual(['    ports       31001, 31002']);
    expect(lines([])).toEqual([]);
    expect(lines(['80/tcp'])).toEqual(['    ports       ["80/tcp"]']);
    expect(lines(undefined)).toEqual([]);
  });

  it('show each instance on a cluster with its node and its endpoints, within 40 columns', () => {
    const web: Deployment['services'][number] = {
      name: 'web',
      state: 'node lost',
      instances: 3,
      running: 1,
      instanceStates: [
        {
          instance: 1,
          state: 'active',
          node: 'worker-1',
          address: '10.0.0.1',
          startedAt: '2026-11-21T11:55:00Z',
          restarts: 1,
        },
        { instance: 2, state: 'node lost', node: 'worker-2', address: '10.0.0.2', restarts: 0 },
        { instance: 3, state: 'starting', restarts: 0, reason: 'no suitable node' },
      ],
      endpoints: [
        { instance: 1, node: 'worker-1', address: '10.0.0.1', port: 30_001, target: 80 },
        { instance: 1, node: 'worker-1', address: 'fd00::1', port: 30_002 },
      ],
    };
    const shown = deploymentDetails({ value: { id: 'x', services: [web] }, unknown: {} }, now);
    const from = shown.findIndex(({ key }) => key === 'service web instance 1');
    const lines = shown.slice(from);
    expect(lines.map((each) => textOf(each).trimEnd())).toEqual([
      '    1  active      up 5m, 1 restart',
      '       worker-1  10.0.0.1:30001 for 80',
      '       worker-1  [fd00::1]:30002',
      '    2  node lost   0 restarts',
      '       worker-2  10.0.0.2',
      '    3  starting    0 restarts',
      '       no suitable node',
    ]);
    expect(lines[1]?.value).toBe('10.0.0.1:30001');
    expect(Math.max(...lines.map((each) => textOf(each).length))).toBeLessThanOrEqual(40);
  });

  it('call no service up that does not run, nor one whose start is unknown', () => {
    const web = { name: 'web', state: 'failed', startedAt: '2026-11-21T11:59:22Z', restarts: 1 };
    const lines = (services: Deployment['services']) =>
      deploymentDetails({ value: { id: 'x-1', services }, unknown: {} }, now)
        .map(textOf)
        .join('\n');
    expect(lines([web])).toMatch(/web +failed +started 38s ago, 1 restart$/m);
    expect(lines([{ ...web, state: 'active' }])).toMatch(/up 38s, 1 restart$/m);
    expect(lines([{ ...web, startedAt: 'soon' }])).toMatch(/web +failed +1 restart$/m);
  });

  it('show the price of an hour where the service says it', () => {
    const priced = deploymentDetails({ value: { ...shop, pricePerHour: '0.6' }, unknown: {} }, now);
    expect(priced.map(textOf)).toContainEqual(expect.stringMatching(/price +0\.6 an hour/));
    expect(row('price')).toBeUndefined();
  });

  it('have a unique key for each row', () => {
    const keys = rows.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test('a record of a list is encoded again and marked as such', () => {
  const { sdl: _, ...value } = shop;
  expect(jsonText({ value: { id: 'g' }, unknown: { odd: 1 } })).toEqual({
    text: '{"id":"g","odd":1}',
    isOriginal: false,
  });
  const [note] = jsonDetails({ value, unknown: {} }, undefined);
  expect(note && textOf(note)).toBe('From the list.');
});

test('a line of JSON copies its value, strings without quotes', () => {
  fc.assert(
    fc.property(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), (name, value) => {
      const line = `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`;
      expect(valueIn(line)).toBe(String(value));
    }),
  );
});

test('the row of the cursor is fully visible where it fits, however rows are wrapped', () => {
  const heights = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      heights,
      fc.nat(40),
      fc.nat(29),
      fc.integer({ min: 4, max: 12 }),
      (all, top, at, height) => {
        const cursor = at % all.length;
        const heightOf = (row: number) => all[row] ?? 0;
        const first = topWithCursor(top, cursor, height, heightOf);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(first).toBeLessThanOrEqual(cursor);
        const used = all.slice(first, cursor + 1).reduce((sum, one) => sum + one, 0);
        expect(used).toBeLessThanOrEqual(height);
        if (top <= cursor && first !== Math.min(top, cursor)) {
          const before = all.slice(first - 1, cursor + 1).reduce((sum, one) => sum + one, 0);
          expect(before).toBeGreaterThan(height);
        }
      },
    ),
  );
});

test('the cursor of Details stays on its row when fields appear above it', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, '1', 'd');
  await waitFor(() => expect(deck.deployments.details.getState().size).toBe(1));
  goTo(deck, 'services:');
  const { key } = detailUnderCursor(deck) ?? {};
  const answer = await fetch(`${foreign.baseUrl}/api/v1/deployments/${foreign.sample}`, {
    headers: { authorization: `Bearer ${foreign.token}` },
  });
  const record = (await answer.json()) as object;
  foreign.answerWith(`/api/v1/deployments/${foreign.sample}`, {
    ...record,
    alpha: 1,
    beta: [1, 2],
  });
  await deck.deployments.fetch(foreign.sample);
  expect(detailUnderCursor(deck)?.key).toBe(key);
  press(deck, 'j');
  expect(detailUnderCursor(deck)?.value).toBe('  web:');
});

test('y copies the value under the cursor, Y its whole field, and J shows the original answer', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const { clipboard, copied } = clipboardOf();
  press(deck, '1', 'd');
  await waitFor(() => expect(deck.deployments.details.getState().size).toBe(1));
  pressCopy(deck, clipboard, 'short');
  goTo(deck, 'image: nginx');
  pressCopy(deck, clipboard, 'short');
  pressCopy(deck, clipboard, 'whole');
  const { sdl } = foreign.deployments.get(foreign.sample) ?? {};
  expect(copied).toEqual([foreign.sample, '    image: nginx', sdl]);
  press(deck, 'J');
  pressCopy(deck, clipboard, 'whole');
  const answer = await fetch(`${foreign.baseUrl}/api/v1/deployments/${foreign.sample}`, {
    headers: { authorization: `Bearer ${foreign.token}` },
  });
  expect(copied.at(-1)).toBe(await answer.text());
  goTo(deck, '"region"');
  pressCopy(deck, clipboard, 'short');
  expect(copied.at(-1)).toBe('eu-foreign-1');
  press(deck, 'J');
  goTo(deck, 'other fields');
  press(deck, 'k');
  pressCopy(deck, clipboard, 'short');
  await said(deck, 'There is nothing to copy here.');
});

test('the SDL is highlighted when it is shown, and nothing is loaded for a list', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const { sdl = '' } = foreign.deployments.get(foreign.sample) ?? {};
  expect(deck.colours.state.getState().size).toBe(0);
  deck.colours.want(sdl, 'yaml');
  deck.colours.want(sdl, 'yaml');
  await waitFor(() => expect(deck.colours.state.getState().get(sdl)).toBeDefined());
  const main = { kind: 'deployment', id: foreign.sample } as const;
  const rows = detailRows(deck, main, now);
  const image = rows.find((row) => textOf(row).includes('image: nginx'));
  expect(image?.line.some(({ token }) => token === 'good' || token === 'info')).toBe(true);
});

test('keys in Details act on the shown deployment', async () => {
  await using open = await openDeck();
  const { deck } = open;
  setScreen(deck.screen, { focus: 'main', main: { kind: 'deployment', id: 'another' } });
  press(deck, 'r');
  expect(deck.screen.getState().overlay).toMatchObject({ deployment: 'another' });
});

test('a view opens at its first row', () => {
  const screen = { ...createScreenStore().getState(), detailCursor: { id: 'sdl 9', index: 30 } };
  expect(openView(screen, { kind: 'deployment', id: 'a' })).toMatchObject({
    detailCursor: startOfList,
  });
});
