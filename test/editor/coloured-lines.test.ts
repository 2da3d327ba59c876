import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlightLines } from '../../source/editor/coloured-lines.ts';

test('tokens of YAML are highlighted line by line', async () => {
  const text = 'services:\n  web: # main\n    image: "nginx"\n';
  const lines = await highlightLines(text, 'yaml');
  const words = lines?.map((spans, index) =>
    spans.map(({ from, to, kind }) => `${kind} ${text.split('\n')[index]?.slice(from, to)}`),
  );
  expect(words?.[0]).toContain('name services');
  expect(words?.[1]).toContain('comment # main');
  expect(words?.[2]).toContain('string "nginx"');
});

test('spans are in order and within their lines for any text', async () => {
  const unit = fc.constantFrom('a', ':', ' ', '\n', '"', '|', '#', '-', '[', '}', '&', '*');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (text) => {
      const lines = (await highlightLines(text, 'yaml')) ?? [];
      const texts = text.split('\n');
      expect(lines.length).toBe(texts.length);
      for (const [index, spans] of lines.entries()) {
        let at = 0;
        for (const { from, to } of spans) {
          expect(from).toBeGreaterThanOrEqual(at);
          expect(to).toBeGreaterThan(from);
          at = to;
        }
        expect(at).toBeLessThanOrEqual(texts[index]?.length ?? 0);
      }
    }),
  );
});

test('text that is too long or too deeply nested stays plain', async () => {
  expect(await highlightLines(`a: ${'x'.repeat(5000)}`, 'yaml')).toBeUndefined();
  expect(await highlightLines('a: 1\n'.repeat(20_000), 'yaml')).toBeUndefined();
  const deep = Array.from({ length: 20 }, () => '['.repeat(1000)).join('\n');
  expect(await highlightLines(deep, 'json')).toBeUndefined();
  expect(await highlightLines(deep, 'yaml')).toBeUndefined();
});
