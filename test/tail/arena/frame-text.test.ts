import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeFrame } from '../../../source/client/decode/logs.ts';
import { extractText } from '../../../source/tail/arena/frame-text.ts';
import { codePoint } from '../../support/code-point.ts';

const text = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.string({ unit: fc.constantFrom('"', '\\', 'n', '\n', '{', ',', '"logLine":"', 'é') }),
);

const plain = fc.string({ unit: fc.constantFrom('a', '-', ' ', 'é') });

it('extracts the same text as parsing the message', () => {
  fc.assert(
    fc.property(text, plain, plain, (logLine, serviceName, stream) => {
      for (const key of ['logLine', 'log_line']) {
        const record = { type: 'log', id: 1, serviceName, [key]: logLine, stream };
        expect(extractText(JSON.stringify(record))).toBe(logLine);
        const hostile = { ...record, serviceName: logLine, stream: logLine };
        expect([undefined, logLine]).toContain(extractText(JSON.stringify(hostile)));
      }
    }),
  );
});

it('extracts nothing from a truncated message or one without text', () => {
  expect(extractText('{"type":"log","id":1}')).toBeUndefined();
  expect(extractText('{"type":"log","id":1,"logLine":7,"stream":"stdout"}')).toBeUndefined();
  expect(extractText('{"type":"log","logLine":"a\\')).toBeUndefined();
});

const name = fc.constantFrom(
  '"logLine"',
  '"log_line"',
  String.raw`"log\u004cine"`,
  '"meta"',
  '"stream"',
  ' "logLine"',
);

const value = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { weight: 6, arbitrary: text.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: fc.constantFrom('"stdout"', '7', 'null', '["}"]') },
    { weight: 1, arbitrary: tie('object') },
  ),
  object: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 3 })
    .map((members) => `{${members.map((member) => member.join(':')).join(',')}}`),
})).value;

it('extracts the text that parsing selects among several', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (members) => {
      const message = `{${[['"type"', '"log"'], ...members].map((one) => one.join(':')).join(',')}}`;
      const decoded = decodeFrame(message);
      const extracted = extractText(message);
      expect([
        undefined,
        decoded.kind === 'line' ? decoded.line.logLine : decoded.description,
      ]).toContain(extracted);
    }),
    { numRuns: 2000 },
  );
});
