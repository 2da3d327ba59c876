import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnownList } from '../../../source/host/engine/known-list.ts';

/** A list that wraps each item, so that a test sees which ones were read anew. */
const wrapping = () => new KnownList((item) => [{ item }]);

const encode = (items: unknown) => Buffer.from(`${JSON.stringify(items)}\n`);

/** Objects of an engine, some of which have others that begin with an id, or text that looks like them. */
const item = fc
  .tuple(fc.constantFrom('1', '2', '3'), fc.oneof(fc.jsonValue(), fc.constant('},{"ID":"x"}')))
  .map(([ID, Spec]) => ({ ID, Spec, Networks: [{ ID }, { ID, Spec }] }));
const flatItem = fc
  .tuple(fc.constantFrom('1', '2', '3'), fc.string())
  .map(([ID, Name]) => ({ ID, Name: `${Name}},{"ID":"` }));
const list = fc.oneof(fc.array(item), fc.array(flatItem));

describe('a list that an engine sends again and again', () => {
  test('has the items of its JSON, whatever came before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(list), async (lists) => {
        const known = wrapping();
        for (const items of lists) {
          const read = await known.read(encode(items));
          expect(read.map((one) => one.item)).toEqual(JSON.parse(JSON.stringify(items)));
        }
      }),
    );
  });

  test('is the same object when it has the same text', async () => {
    const known = wrapping();
    const items = await known.read(encode([{ ID: '1' }]));
    expect(await known.read(encode([{ ID: '1' }]))).toBe(items);
  });

  test('has the same objects for items with the same text', async () => {
    const known = wrapping();
    const before = await known.read(encode([{ ID: '1' }, { ID: '2', at: 1 }, { ID: '3' }]));
    const after = await known.read(encode([{ ID: '0' }, { ID: '1' }, { ID: '2', at: 2 }]));
    expect(after.map((one) => before.indexOf(one))).toEqual([-1, 0, -1]);
  });

  test('lets other work have its turn while a large one is read for the first time', async () => {
    const items = Array.from({ length: 1000 }, (_, ID) => ({ ID: String(ID) }));
    const order: string[] = [];
    const read = async () => {
      await wrapping().read(encode(items));
      order.push('list');
    };
    const other = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('other');
    };
    await Promise.all([read(), other()]);
    expect(order).toEqual(['other', 'list']);
  });

  test.each(['{}', '{"items":[{"ID":"1"}]}', 'null', ''])('%j has no items', async (text) => {
    expect(await wrapping().read(Buffer.from(text))).toEqual([]);
  });

  test.each(['[{"ID":"1"}', '[{"ID":"1"}]x', 'x[{"ID":"1"}]', '[{"ID":"1"},]'])(
    '%j is refused',
    async (text) => {
      await expect(wrapping().read(Buffer.from(text))).rejects.toThrow('is not JSON');
    },
  );
});
