import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeFrameAt } from '../../../source/client/decode/logs.ts';
import { isContractMessage } from '../../../source/commands/logs/collect-lines.ts';
import { formatJsonLine } from '../../../source/store/log/format.ts';
import { codePoint } from '../../support/code-point.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\u0001', '\u007f', 'é', '🙂', '\ud800', 'u'),
  }),
);

const id = fc.oneof(
  fc.nat(),
  fc.bigInt({ min: -1n, max: 10n ** 45n }),
  fc.constantFrom('01', '-0', '1e3', '1.0', '"7"', 'null', ''),
);

/** Written as the contract shows it, and in other ways that are read alike or not at all. */
const message = fc
  .record({
    id,
    deploymentId: text,
    serviceName: text,
    timestamp: text,
    logLine: text,
    stream: text,
  })
  .chain(({ id: number, ...texts }) => {
    const whole = `{"type":"log","id":${number},${JSON.stringify(texts).slice(1)}`;
    return fc.constantFrom(
      whole,
      whole,
      whole,
      whole.replace('"id":', '"id": '),
      whole.replaceAll('/', String.raw`\/`),
      whole.replaceAll(String.raw`\n`, String.raw`\u000a`),
      whole.replaceAll(String.raw`\n`, '\n'),
      whole.replace('}', ',"stream":"again"}'),
      ...['2', '120', '0', '02', '-1', '1.5', '"2"', 'null', '', '9'.repeat(30)].map((instance) =>
        whole.replace(/\}$/, `,"instance":${instance}}`),
      ),
      whole.replace('"type":"log"', '"type":"log","type":"log"'),
      `${whole} `,
      whole.slice(0, -1),
    );
  });

/** One byte is another, or stands there once more: also what is no UTF-8. */
const hurt = fc
  .tuple(message, fc.nat(), fc.nat({ max: 255 }), fc.nat({ max: 2 }))
  .map(([whole, at, byte, put]) => {
    const bytes = Buffer.from(whole);
    const index = at % bytes.length;
    const rest = bytes.subarray(put === 2 ? index : index + 1);
    return Buffer.concat([bytes.subarray(0, index), Buffer.alloc(put === 0 ? 0 : 1, byte), rest]);
  });

const around = Buffer.from('"}{"stream":"');

/** Asks in the middle of other bytes, where messages stand. */
function isContract(bytes: Buffer): boolean {
  const all = Buffer.concat([around, bytes, around]);
  return isContractMessage(all, around.length, around.length + bytes.length);
}

it('takes no message that would be written in another way when it is read', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        message.map((whole) => Buffer.from(whole)),
        hurt,
      ),
      (bytes) => {
        if (!isContract(bytes)) return;
        const read = decodeFrameAt(bytes, 0, bytes.length);
        const written =
          read.kind === 'line' ? formatJsonLine(read.line, 'asked for') : read.description;
        expect(`${bytes.toString()}\n`).toBe(written);
        expect(Buffer.from(bytes.toString()).equals(bytes)).toBe(true);
      },
    ),
    { numRuns: 3000 },
  );
});

it('takes each message that is written as we write it ourselves', () => {
  const filled = text.filter((one) => one !== '');
  const number = fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 53n, max: 10n ** 38n }));
  const texts = { deploymentId: filled, serviceName: filled, timestamp: filled, stream: filled };
  fc.assert(
    fc.property(fc.record({ id: number, ...texts, logLine: text }), (line) => {
      const written = formatJsonLine(line, 'asked for').slice(0, -1);
      expect(isContract(Buffer.from(written))).toBe(!isEscaped(written));
    }),
    { numRuns: 1000 },
  );
});

/** Whether a character is written by its number. */
function isEscaped(written: string): boolean {
  return written.replaceAll(String.raw`\\`, '').includes(String.raw`\u`);
}
