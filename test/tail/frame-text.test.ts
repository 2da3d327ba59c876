import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { textIn } from '../../source/tail/frame-text.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', 'n', '\n', '{', ',', '"logLine":"', 'é') }),
);

it('cuts the text out of a message as reading it would', () => {
  fc.assert(
    fc.property(text, text, text, (logLine, serviceName, stream) => {
      for (const key of ['logLine', 'log_line']) {
        const record = { type: 'log', id: 1, serviceName, [key]: logLine, stream };
        expect(textIn(JSON.stringify(record))).toBe(logLine);
      }
    }),
  );
});

it('knows nothing of a message that has no text, or is cut off', () => {
  expect(textIn('{"type":"log","id":1}')).toBeUndefined();
  expect(textIn('{"type":"log","id":1,"logLine":7,"stream":"stdout"}')).toBeUndefined();
  expect(textIn('{"type":"log","logLine":"a\\')).toBeUndefined();
});
