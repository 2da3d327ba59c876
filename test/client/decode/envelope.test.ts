import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeLongList,
  decodeResource,
  findRefusal,
  findTotal,
} from '../../../source/client/decode/envelope.ts';
import { decodeSuccess } from '../../../source/client/decode/fields.ts';

const asIs = (value: unknown) => decodeSuccess(value);

describe('the list in an answer', () => {
  const list = [{ id: 'a' }, { id: 'b' }];
  test.each([
    ['bare', list],
    ['below its noun', { deployments: list }],
    ['below its noun with success', { success: true, deployments: list }],
    ['below data', { data: list }],
    ['below result', { result: list }],
    ['below items', { items: list }],
    ['below its noun below data', { success: true, data: { deployments: list } }],
    ['below items below data', { data: { items: list, total: 2 } }],
    ['below its noun below result', { result: { deployments: list } }],
  ])('is found %s', async (_, answer) => {
    expect(await decodeLongList(answer, 'deployments', asIs)).toEqual({ ok: true, value: list });
  });

  test('is empty when it is null', async () => {
    expect(await decodeLongList({ files: null }, 'files', asIs)).toEqual({ ok: true, value: [] });
  });

  test.each([
    ['beside it', { deployments: list, total: 5 }],
    ['beside it below data', { data: { items: list, total: 5 } }],
    ['in a record beside it', { success: true, data: list, pagination: { total: 5 } }],
    ['in a record around it', { meta: { total_count: 5 }, data: { deployments: list } }],
    ['below its noun', { deployments: { items: list, totalCount: 5 } }],
  ])('is a part of the total %s', (_, answer) => {
    expect(findTotal(answer, 'deployments')).toBe(5);
  });

  test.each([
    ['a bare list', list],
    ['a list of something with a total', { deployments: [{ id: 'a', total: 5 }] }],
    ['text', { deployments: list, total: 'many' }],
    ['a fraction', { deployments: list, total: 2.5 }],
    ['a negative number', { deployments: list, total: -1 }],
    ['the total of something else', { deployments: list, grants: { total: 5 } }],
    ['nothing', null],
  ])('has no known total in %s', (_, answer) => {
    expect(findTotal(answer, 'deployments')).toBeUndefined();
  });

  test('is not searched under the names of other resources', async () => {
    expect(await decodeLongList({ grants: list }, 'files', asIs)).toEqual({
      ok: false,
      field: 'files',
      problem: 'is missing',
    });
  });

  test('of another type is named in the error', async () => {
    expect(await decodeLongList({ files: 'none' }, 'files', asIs)).toMatchObject({
      field: 'files',
      problem: 'is not a list',
    });
    expect(await decodeLongList('none', 'files', asIs)).toMatchObject({
      field: '',
      problem: 'contains no list',
    });
  });

  test('names the path of an unreadable item', async () => {
    const broken = (_: unknown, at: string) => ({ ok: false, field: at, problem: '!' }) as const;
    expect(await decodeLongList({ data: { items: [1] } }, 'files', broken)).toMatchObject({
      field: 'data.items[0]',
    });
  });
});

describe('the one resource in an answer', () => {
  const deployment = { id: 'a', state: 'up' };
  test.each([
    ['bare', deployment],
    ['below its noun', { deployment }],
    ['below its noun with success', { success: true, deployment }],
    ['below data', { success: true, data: deployment }],
    ['below result', { result: deployment }],
    ['below its noun below data', { data: { deployment } }],
  ])('is found %s', (_, answer) => {
    expect(decodeResource(answer, 'deployment', asIs)).toEqual({ ok: true, value: deployment });
  });

  test('omits the success of a bare envelope', () => {
    expect(decodeResource({ success: true, ...deployment }, 'deployment', asIs)).toEqual({
      ok: true,
      value: deployment,
    });
  });

  test('keeps its own fields with the name of a wrapper', () => {
    const odd = { ...deployment, data: { id: 'inner' } };
    expect(decodeResource(odd, 'deployment', asIs)).toEqual({ ok: true, value: odd });
  });
});

test('an answer with success: false is a refusal with its message', () => {
  expect(findRefusal({ success: false, message: 'no' })).toEqual({
    errorMessage: 'no',
    errorDetails: [],
  });
  expect(findRefusal({ success: true, message: 'no' })).toBeUndefined();
  expect(findRefusal([{ success: false }])).toBeUndefined();
});

test('no JSON value makes the search throw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ depthSize: 'medium' }), async (json) => {
      const list = await decodeLongList(json, 'files', asIs);
      const one = decodeResource(json, 'file', asIs);
      expect(typeof list.ok).toBe('boolean');
      expect(typeof one.ok).toBe('boolean');
      findRefusal(json);
    }),
    { numRuns: 500 },
  );
});

describe('a long list', () => {
  test('is decoded in order up to the first unreadable item', async () => {
    const asNumber = (item: unknown, at: string) =>
      typeof item === 'number'
        ? ({ ok: true, value: item } as const)
        : ({ ok: false, field: at, problem: 'is no number' } as const);
    const numbers = Array.from({ length: 2500 }, (_, index) => index);
    const read = (files: unknown) => decodeLongList({ files }, 'files', asNumber);
    expect(await read(numbers)).toEqual({ ok: true, value: numbers });
    expect(await read([...numbers, 'x', 1, 'y'])).toMatchObject({ field: 'files[2500]' });
  });

  test('yields to the event loop', async () => {
    let turns = 0;
    const turn = setImmediate(() => (turns += 1));
    const items = Array.from({ length: 2500 }, () => 1);
    await decodeLongList({ files: items }, 'files', () => ({ ok: true, value: turns }));
    clearImmediate(turn);
    expect(turns).toBe(1);
  });
});
