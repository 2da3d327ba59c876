import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListResult } from '../../../source/client/http/errors.ts';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import { createListing, shareRows } from '../../../source/store/lists/listing.ts';
import { createTestClock } from '../../support/clock.ts';
import { createRequests, done, failure, read, success } from '../requests.ts';
import { waitFor } from '../../support/wait-for.ts';

interface Item {
  readonly id: string;
  readonly note: string;
}

const item = (id: string, note = '') => read<Item>({ id, note });

function createFixture() {
  const clock = createTestClock(1000);
  const requests = createRequests<readonly DecodedRecord<Item>[]>();
  const list = createListing<Item>({
    clock,
    key: ({ id }) => id,
    fetchRows: (signal) => requests.send([], signal),
  });
  return { clock, requests, list, state: () => list.state.getState() };
}

it('is empty and unconfirmed before the first answer', () => {
  const { state } = createFixture();
  expect(state()).toEqual({
    rows: [],
    unlisted: 0,
    loadedAt: undefined,
    loadingSince: undefined,
    error: undefined,
  });
});

it('has the time of the fetch in flight and of the last success', async () => {
  const { clock, requests, list, state } = createFixture();
  const refreshed = list.refresh();
  expect(state().loadingSince).toBe(1000);
  await clock.advance(250);
  await requests.last().answer(success([item('a')]));
  expect(await refreshed).toEqual(done);
  expect(state()).toMatchObject({
    rows: [item('a')],
    loadedAt: 1250,
    loadingSince: undefined,
    error: undefined,
  });
});

it('counts the rows that the service leaves out, until it sends all', async () => {
  const { requests, list, state } = createFixture();
  for (const [total, unlisted] of [
    [5, 4],
    [undefined, 0],
    [3, 2],
    [0, 0],
  ]) {
    const refreshed = list.refresh();
    const answer: ListResult<DecodedRecord<Item>> = { ...success([item('a')]), total };
    await requests.last().answer(answer);
    await refreshed;
    expect(state().unlisted).toBe(unlisted);
  }
});

it('keeps its rows and their age through failures, and clears the error at the next success', async () => {
  const { clock, requests, list, state } = createFixture();
  void list.refresh();
  await requests.last().answer(success([item('a')]));
  await clock.advance(3000);
  const failed = list.refresh();
  const refusal = failure('service-error', { status: 500 });
  await requests.last().answer(refusal);
  expect(await failed).toEqual(refusal);
  expect(state()).toMatchObject({
    rows: [item('a')],
    loadedAt: 1000,
    loadingSince: undefined,
    error: refusal.error,
  });
  void list.refresh();
  expect(state().error).toBe(refusal.error);
  await requests.last().answer(success([]));
  expect(state()).toMatchObject({ rows: [], loadedAt: 4000, error: undefined });
});

it('aborts a fetch replaced by a later one, and resolves both with the later result', async () => {
  const { requests, list, state } = createFixture();
  const first = list.refresh();
  const second = list.refresh();
  const third = list.refresh();
  expect(requests.sent.map((request) => request.aborted)).toEqual([true, true, false]);
  await requests.last().answer(success([item('new')]));
  expect(await Promise.all([first, second, third])).toEqual([done, done, done]);
  expect(state()).toMatchObject({ rows: [item('new')], error: undefined, loadingSince: undefined });
});

it('reports the failure of the later fetch', async () => {
  const { requests, list, state } = createFixture();
  const first = list.refresh();
  const second = list.refresh();
  const refusal = failure('forbidden', { status: 403 });
  await requests.last().answer(refusal);
  expect(await Promise.all([first, second])).toEqual([refusal, refusal]);
  expect(state().error).toBe(refusal.error);
});

it('ignores the answer to an aborted fetch', async () => {
  const requests = createRequests<readonly DecodedRecord<Item>[]>();
  const list = createListing<Item>({
    clock: createTestClock(),
    key: ({ id }) => id,
    fetchRows: () => requests.send([]),
  });
  void list.refresh();
  void list.refresh();
  const [older, newer] = requests.sent;
  await newer?.answer(success([item('new')]));
  await older?.answer(success([item('old')]));
  expect(list.state.getState().rows).toEqual([item('new')]);
});

it('does not report an abort as an error of the list', async () => {
  const { requests, list, state } = createFixture();
  const refreshed = list.refresh();
  await requests.last().answer(failure('aborted'));
  expect(await refreshed).toEqual(failure('aborted'));
  expect(state()).toMatchObject({ error: undefined, loadingSince: undefined });
});

it('clears rows, errors and the fetch in flight at a reset', async () => {
  const { requests, list, state } = createFixture();
  void list.refresh();
  await requests.last().answer(success([item('a')]));
  const pending = list.refresh();
  list.reset();
  expect(requests.last().aborted).toBe(true);
  expect(await pending).toEqual(done);
  expect(state()).toEqual({
    rows: [],
    unlisted: 0,
    loadedAt: undefined,
    loadingSince: undefined,
    error: undefined,
  });
  void list.refresh();
  await requests.last().answer(success([item('b')]));
  expect(state().rows).toEqual([item('b')]);
});

it('fetches from the new source after a reset', async () => {
  const { requests, list, state } = createFixture();
  const elsewhere = createRequests<readonly DecodedRecord<Item>[]>();
  void list.refresh();
  list.reset((signal) => elsewhere.send([], signal));
  void list.refresh();
  expect(requests.sent).toHaveLength(1);
  await elsewhere.last().answer(success([item('there')]));
  expect(state().rows).toEqual([item('there')]);
});

it('does nothing without a source', async () => {
  const list = createListing<Item>({ clock: createTestClock(), key: ({ id }) => id });
  expect(await list.refresh()).toEqual(done);
  expect(list.state.getState().loadingSince).toBeUndefined();
});

it('prepares the changed rows of a long list, step by step, before it shows them', async () => {
  const { requests, list, state } = createFixture();
  const seen: string[] = [];
  const note = (step: string) => () => void seen.push(`${step}, shown ${state().rows.length}`);
  list.prepareWith((rows) => {
    setImmediate(note('other task'));
    return [note(`first of ${rows.length}`), note('second')];
  });
  const many = Array.from({ length: 500 }, (_, index) => item(`row ${index}`));
  const listed = list.refresh();
  await requests.last().answer(success(many));
  await listed;
  expect(seen).toEqual(['first of 500, shown 0', 'other task, shown 0', 'second, shown 0']);
  expect(state().rows).toEqual(many);
  const again = list.refresh();
  await requests.last().answer(success([...many]));
  await again;
  expect(seen).toHaveLength(3);
});

it('prepares no rows that a later fetch replaces', async () => {
  const { requests, list, state } = createFixture();
  const seen: string[] = [];
  const many = Array.from({ length: 500 }, (_, index) => item(`row ${index}`));
  list.prepareWith(() => [() => void seen.push('first'), () => void seen.push('second')]);
  let later = Promise.resolve<unknown>(undefined);
  list.prepareWith(() => [() => void (seen.length === 2 && (later = list.refresh()))]);
  list.prepareWith(() => [() => void seen.push('replaced')]);
  const listed = list.refresh();
  await requests.last().answer(success(many));
  await waitFor(() => expect(requests.sent).toHaveLength(2));
  await requests.last().answer(success([item('a')]));
  await Promise.all([listed, later]);
  expect(seen).toEqual(['first', 'second']);
  expect(state().rows).toEqual([item('a')]);
});

it('keeps the array of an unchanged list', async () => {
  const { requests, list, state } = createFixture();
  void list.refresh();
  await requests.last().answer(success([item('a'), item('b')]));
  const { rows } = state();
  void list.refresh();
  await requests.last().answer(success([item('a'), item('b')]));
  expect(state().rows).toBe(rows);
});

const rowArbitrary = fc
  .record(
    { id: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), note: fc.constantFrom('', 'x') },
    { noNullPrototype: true },
  )
  .map(read);
const rowsArbitrary = fc.array(rowArbitrary, { maxLength: 8 });
const uniqueRowsArbitrary = fc.uniqueArray(rowArbitrary, { selector: ({ value }) => value.id });
const idOf = ({ id }: Item) => id;

it('shares rows without changing the list, also with repeated ids', async () => {
  await fc.assert(
    fc.asyncProperty(rowsArbitrary, rowsArbitrary, async (before, after) => {
      const shared = await shareRows(before, after, idOf);
      expect(shared).toEqual(after);
      for (const row of shared) expect(before.includes(row) || after.includes(row)).toBe(true);
    }),
  );
});

it('returns the same array when nothing changed, also with repeated ids', async () => {
  await fc.assert(
    fc.asyncProperty(rowsArbitrary, async (before) => {
      expect(await shareRows(before, structuredClone(before), idOf)).toBe(before);
    }),
  );
});

it('keeps the object of every unchanged row, also when it moved', async () => {
  await fc.assert(
    fc.asyncProperty(uniqueRowsArbitrary, uniqueRowsArbitrary, async (before, after) => {
      for (const row of await shareRows(before, structuredClone(after), idOf)) {
        const old = before.find(({ value }) => value.id === row.value.id);
        expect(old === row).toBe(old !== undefined && old.value.note === row.value.note);
      }
    }),
  );
});

it('detects a change in an unknown field', async () => {
  const before = [{ value: { id: 'a', note: '' }, unknown: { region: 'eu' } }];
  const after = [{ value: { id: 'a', note: '' }, unknown: { region: 'us' } }];
  expect(await shareRows(before, after, idOf)).toEqual(after);
});

it('keeps a row exactly when it is deeply equal', async () => {
  const some = fc.oneof(
    fc.constantFrom(undefined, null, 0, -0, Number.NaN, 'a', true),
    fc.array(fc.constantFrom(0, 1), { maxLength: 2 }),
    fc.record({ deep: fc.constantFrom(0, 1) }),
  );
  const fields = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), some);
  const row = fc.record({ value: fields, unknown: fields });
  await fc.assert(
    fc.asyncProperty(row, fc.option(row, { nil: undefined }), async (before, other) => {
      const after = structuredClone(other ?? before);
      const [kept] = await shareRows([before], [after], () => 'id');
      expect(kept === before).toBe(isDeepStrictEqual(before, after));
    }),
  );
});

it('yields while it shares a long list, and drops it for a newer answer', async () => {
  const { requests, list, state } = createFixture();
  const many = (note: string) => Array.from({ length: 2000 }, (_, index) => item(`${index}`, note));
  const first = list.refresh();
  void requests.last().answer(success(many('')));
  await new Promise(setImmediate);
  expect(state().rows).toEqual([]);
  list.reset();
  await first;
  expect(state().rows).toEqual([]);
  void list.refresh();
  await requests.last().answer(success(many('')));
  await waitFor(() => expect(state().rows).toHaveLength(2000));
  const { rows } = state();
  const changed = list.refresh();
  await requests.last().answer(success([...many('').slice(0, 1999), item('1999', 'x')]));
  await changed;
  expect(state().rows[1999]).toEqual(item('1999', 'x'));
  expect(
    state()
      .rows.slice(0, 1999)
      .every((row, index) => row === rows[index]),
  ).toBe(true);
});
