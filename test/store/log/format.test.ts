import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatJsonLine, formatTextLine } from '../../../source/store/log/format.ts';

it('formats a line as a single line whatever its fields contain', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\\', '"', '\r'), maxLength: 6 });
  const line = fc.record({ logLine: text, serviceName: text, timestamp: text, stream: text });
  fc.assert(
    fc.property(line, text, (one, deploymentId) => {
      for (const written of [formatTextLine(one), formatJsonLine(one, deploymentId)]) {
        expect(written.indexOf('\n')).toBe(written.length - 1);
      }
    }),
  );
});

it('names the service and, if known, the instance', () => {
  const texts = [{}, { serviceName: 'worker' }, { serviceName: 'worker', instance: 2 }].map(
    (source) => formatTextLine({ logLine: 'x', ...source }),
  );
  expect(texts).toEqual(['- -  x\n', '- worker  x\n', '- worker 2  x\n']);
});
