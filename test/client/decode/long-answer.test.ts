import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodedItems } from '../../../source/client/decode/decoded-items.ts';
import { decodeLongList } from '../../../source/client/decode/envelope.ts';
import { decodeSuccess } from '../../../source/client/decode/fields.ts';
import { ItemText, parseLongAnswer } from '../../../source/client/decode/long-answer.ts';

/** Parses the items that were left as texts. */
function parsed(value: unknown): unknown {
  if (value instanceof ItemText) return value.parse()?.value;
  if (Array.isArray(value)) return value.map(parsed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, parsed(field)]));
}

const spaces = fc.stringMatching(/^[ \n\r\t]{0,3}$/);

/** Writes JSON with spaces wherever the grammar allows some. */
function written(value: unknown, space: string): string {
  const spaced = (text: string) => `${space}${text}${space}`;
  if (Array.isArray(value)) {
    return spaced(`[${space}${value.map((item) => written(item, space)).join(',')}]`);
  }
  if (typeof value !== 'object' || value === null) return spaced(JSON.stringify(value));
  const fields = Object.entries(value).map(
    ([key, field]) => `${spaced(JSON.stringify(key))}:${written(field, space)}`,
  );
  return spaced(`{${space}${fields.join(',')}}`);
}

/** A list long enough to stay text, of a few items again and again. */
const longList = fc
  .array(fc.oneof(fc.jsonValue(), fc.constantFrom('"]}', '\\', 'items', '\\"')), { minLength: 1 })
  .map((items) => Array.from({ length: 500 }, (_, index) => items[index % items.length]));

const envelope = fc.oneof(
  longList,
  fc.record({ success: fc.boolean(), deployments: longList, more: fc.jsonValue() }),
  fc.record({ data: fc.record({ given: longList, items: longList }), items: fc.string() }),
  fc.jsonValue(),
);

describe('a long answer', () => {
  it('is what JSON.parse makes of it once its items are parsed', async () => {
    await fc.assert(
      fc.asyncProperty(envelope, spaces, async (value, space) => {
        const text = written(value, space);
        const answer = await parseLongAnswer(text);
        expect(parsed(answer?.value)).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });

  it('has the items of long lists as texts, and those of short ones as values', async () => {
    const deployments = Array.from({ length: 500 }, (_, id) => ({ id: String(id) }));
    const text = JSON.stringify({ warnings: ['old'], deployments, total: 500 });
    const answer = await parseLongAnswer(text);
    expect(answer?.value).toEqual({
      warnings: ['old'],
      deployments: deployments.map((item) => new ItemText(JSON.stringify(item))),
      total: 500,
    });
  });

  it('is refused wherever it breaks off or a character of its envelope is lost', async () => {
    const text = JSON.stringify({ list: Array.from({ length: 500 }, () => 1), end: 'x' });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length - 1 }), async (at) => {
        expect(await parseLongAnswer(text.slice(0, at))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
    for (const broken of [`${text}}`, `${text},`, text.slice(1), text.replace(',"end"', '"end"')]) {
      expect(await parseLongAnswer(broken)).toBeUndefined();
    }
  });

  it('names an item that is not JSON', async () => {
    const items = Array.from({ length: 500 }, (_, index) => (index === 7 ? '{"a":}' : '{}'));
    const answer = await parseLongAnswer(`{"files":[${items.join(',')}]}`);
    const list = await decodeLongList(answer?.value, 'files', decodeSuccess);
    expect(list).toEqual({ ok: false, field: 'files[7]', problem: 'is not JSON' });
  });

  it('decodes only the items that changed, also behind one that came or went', async () => {
    const before = new DecodedItems<unknown>();
    const decode = async (ids: readonly string[]) => {
      const decoded: unknown[] = [];
      const answer = await parseLongAnswer(JSON.stringify(ids.map((id) => ({ id }))));
      const list = await decodeLongList(
        answer?.value,
        'files',
        (item) => {
          decoded.push(item);
          return decodeSuccess(item);
        },
        before,
      );
      expect(list).toEqual({ ok: true, value: ids.map((id) => ({ id })) });
      return decoded;
    };
    const ids = Array.from({ length: 600 }, (_, index) => `id-${index}`);
    expect(await decode(ids)).toHaveLength(600);
    expect(await decode(ids)).toEqual([]);
    expect(await decode(['new', ...ids])).toEqual([{ id: 'new' }]);
    expect(await decode(ids.filter((id) => id !== 'id-300'))).toEqual([]);
    expect(await decode(ids.with(5, 'other'))).toEqual([{ id: 'other' }, { id: 'id-300' }]);
  });
});
