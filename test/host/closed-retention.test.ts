import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ClosedShelf, day, type ShelfSteps, usualSdl } from './support/closed-shelf.ts';

let shelf: ClosedShelf;

beforeEach(async () => {
  shelf = await ClosedShelf.open(temporaryFolder());
});

afterEach(() => shelf.close());

const whole = { hasFiles: true, lines: 10, isMarked: false };
const removed = { hasFiles: false, lines: 0, isMarked: true };

describe('files and logs of a closed deployment', () => {
  it('are kept for the time after its close, and then removed with those of no other', async () => {
    const open = await shelf.create();
    const first = await shelf.createClosed();
    await shelf.advance(day);
    const second = await shelf.createClosed();
    await shelf.advance(6 * day - 1);
    expect(await shelf.remains(first)).toEqual(whole);
    await shelf.advance(60_000);
    expect(await shelf.remains(first)).toEqual(removed);
    expect(await shelf.remains(second)).toEqual(whole);
    await shelf.advance(day);
    expect(await shelf.remains(second)).toEqual(removed);
    expect(await shelf.remains(open)).toEqual(whole);
    expect(shelf.failures).toEqual([]);
  });

  it('are kept for the time after the first start of a host that removes them', async () => {
    const old = await shelf.createClosed();
    shelf.parts.storage.prepare(`delete from meta where key = 'closed-kept-since'`).run();
    shelf.clock.advance(100 * day);
    await shelf.again();
    await shelf.advance(6 * day);
    await shelf.again();
    expect(await shelf.remains(old)).toEqual(whole);
    await shelf.advance(day);
    expect(await shelf.remains(old)).toEqual(removed);
  });

  it('are removed although an earlier clock was far ahead', async () => {
    shelf.clock.advance(-365 * day);
    await shelf.again();
    const record = await shelf.createClosed();
    await shelf.advance(7 * day + 60_000);
    expect(await shelf.remains(record)).toEqual(removed);
  });

  it('leave the record, the account and the definition', async () => {
    const { id } = await shelf.createClosed();
    const account = { carry: 2638n, owed: 5n, paid: 123_456_789n };
    shelf.parts.deployments.setAccount(id, account);
    const before = shelf.parts.deployments.getById(id);
    await shelf.advance(8 * day);
    await shelf.again();
    const { deployments } = shelf.parts;
    const { services, removedAt, ...record } = deployments.getById(id);
    expect({ ...record, services: before.services, removedAt: undefined }).toEqual(before);
    expect(services.map(({ name, count }) => [name, count])).toEqual([
      ['web', 1],
      ['worker', 1],
    ]);
    expect(removedAt).toBeGreaterThan(before.closedAt ?? Number.POSITIVE_INFINITY);
    expect(deployments.getAccount(id)).toEqual(account);
    expect(deployments.readSdl(record)).toBe(usualSdl);
    expect([...deployments.listClosedOf('0xowner', 0, 10)].map((each) => each.id)).toEqual([id]);
    const other = `00000000-0000-4000-8000-000000000000-${record.number}`;
    expect(() => deployments.get('0xowner', other)).toThrow('no deployment with this id');
  });

  it('leave the order of the list and the number of closed deployments', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      ids.unshift((await shelf.createClosed()).id);
      // The last two are kept, and closed at the same time.
      if (index < 4) await shelf.advance(2 * day);
    }
    await shelf.again();
    const { deployments } = shelf.parts;
    const list = (offset: number, limit: number) =>
      [...deployments.listClosedOf('0xowner', offset, limit)].map(({ id }) => id);
    expect(list(0, 10)).toEqual(ids);
    expect(list(1, 3)).toEqual(ids.slice(1, 4));
    expect(list(4, 10)).toEqual(ids.slice(4));
    expect(deployments.countClosedOf('0xowner')).toBe(6);
    expect(list(0, 10).filter((id) => deployments.getById(id).removedAt === undefined)).toEqual(
      ids.slice(0, 5),
    );
  });

  it.each<[string, (steps: ShelfSteps) => Partial<ShelfSteps>]>([
    ['before the files', () => ({ removeFiles: fail })],
    ['after the files', ({ removeFiles }) => ({ removeFiles: after(removeFiles) })],
    ['before the logs', () => ({ removeLogs: fail })],
    ['after the logs', ({ removeLogs }) => ({ removeLogs: after(removeLogs) })],
    ['before the record', () => ({ completeRemoval: failNow })],
  ])('are removed by the next host when one ends %s', async (_, change) => {
    const records = [await shelf.createClosed(), await shelf.createClosed()];
    await shelf.again(change);
    await shelf.advance(7 * day + 60_000);
    expect(shelf.failures.at(-1)).toBe('Error: the host ended');
    // None looks kept once its removal has begun.
    for (const record of records) expect((await shelf.remains(record)).isMarked).toBe(true);
    // The clock of the next host is behind, but the removal has begun.
    shelf.clock.advance(-5 * day);
    await shelf.again();
    for (const record of records) expect(await shelf.remains(record)).toEqual(removed);
    expect(shelf.parts.closed.listBegun()).toEqual([]);
  });

  it('that cannot be removed are tried again, and keep no others', async () => {
    const records = [await shelf.createClosed(), await shelf.createClosed()];
    const [stuck] = records;
    let isStuck = true;
    await shelf.again(({ removeFiles }) => ({
      removeFiles: async (id) => {
        if (isStuck && id === stuck?.id) throw new Error('not permitted');
        await removeFiles(id);
      },
    }));
    await shelf.advance(7 * day + 60_000);
    const all = () => Promise.all(records.map((record) => shelf.remains(record)));
    expect(await all()).toEqual([{ ...whole, isMarked: true }, removed]);
    expect(shelf.failures).toContain('Error: not permitted');
    isStuck = false;
    await shelf.advance(60_000);
    expect(await all()).toEqual([removed, removed]);
  });
});

describe('the data folder', () => {
  it('is as large as before, within 5 %, after many creates and closes', async () => {
    await shelf.create(7_000_000, 7000);
    await shelf.close();
    const before = shelf.bytes();
    await shelf.again();
    const [perDay, days] = [4, 12];
    let largest = 0;
    for (let today = 0; today < days; today += 1) {
      for (let count = 0; count < perDay; count += 1) await shelf.createClosed(100_000, 300);
      await shelf.advance(day);
      largest = Math.max(largest, shelf.bytes());
    }
    await shelf.advance(7 * day);
    await shelf.close();
    expect(largest).toBeGreaterThan(before * 1.05);
    expect(shelf.bytes() / before).toBeLessThan(1.05);
  });
});

it('the record of a removed deployment takes less than 150 bytes', async () => {
  const { storage, deployments, closed } = shelf.parts;
  const record = await shelf.createClosed();
  const readPages = () =>
    Number(storage.prepare('pragma page_count').get()?.['page_count']) -
    Number(storage.prepare('pragma freelist_count').get()?.['freelist_count']);
  const before = readPages();
  const count = 1000;
  const owner = `0x${'a'.repeat(40)}`;
  storage.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const draft = deployments.insert(owner, usualSdl, { ...record, placements: [], parts: [] });
      deployments.complete(draft, 'running');
      deployments.setAccount(draft.id, { carry: 1234n, owed: 0n, paid: 123_456_789_012_345_678n });
      deployments.setPhase(draft.id, 'closed');
    }
  });
  const pageBytes = Number(storage.prepare('pragma page_size').get()?.['page_size']);
  closed.beginRemoval(closed.listKept(), shelf.clock.now());
  closed.completeRemoval(closed.listBegun());
  expect(((readPages() - before) * pageBytes) / count).toBeLessThan(150);
});

const fail = async () => failNow();

function failNow(): never {
  throw new Error('the host ended');
}

function after<Values extends readonly unknown[]>(step: (...values: Values) => Promise<void>) {
  return async (...values: Values): Promise<void> => {
    await step(...values);
    failNow();
  };
}
