import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonLine, textLine } from '../../../source/store/log/format.ts';

it('writes a line as one line, whatever the service says in any of its fields', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\\', '"', '\r'), maxLength: 6 });
  const line = fc.record({ logLine: text, serviceName: text, timestamp: text, stream: text });
  fc.assert(
    fc.property(line, text, (one, deploymentId) => {
      for (const written of [textLine(one), jsonLine(one, deploymentId)]) {
        expect(written.indexOf('\n')).toBe(written.length - 1);
      }
    }),
  );
});
