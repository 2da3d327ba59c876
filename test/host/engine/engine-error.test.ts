import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineReason, errorMessage } from '../../../source/host/engine/engine-error.ts';

describe('the reason of a failure', () => {
  it('is one short line', () => {
    const long = new Error(`no\n  space ${'x'.repeat(1000)}`);
    expect(engineReason(long)).toMatch(/^no space x+…$/);
    expect(engineReason(long).length).toBeLessThan(310);
  });

  it.each(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])(
    'is a missing answer for %s',
    (code) => {
      const error = Object.assign(new Error('x'), { code });
      expect(engineReason(error)).toBe('the container engine does not answer');
    },
  );

  it('is one line of limited length for any error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(engineReason(new Error(text))).toBe(engineReason(text));
        expect(engineReason(text)).not.toMatch(/[\n\r\t]/);
      }),
    );
  });
});

describe('the message of a failure', () => {
  it.each([
    ['as Docker says it', '{"message":"no such image: x"}\n', 'no such image: x'],
    [
      'as Podman says it',
      '{"cause":"no such container","message":"no container with ID x","response":404}',
      'no container with ID x',
    ],
    ['that has a cause alone', '{"cause":"in use","message":""}', 'in use'],
    ['of a router', '404 page not found\n', '404 page not found\n'],
    ['of a proxy', '<html><body>Bad Gateway</body></html>', 'status 502'],
    ['that is not there', '', 'status 502'],
    ['of another kind', '{"message":{"text":"x"}}', 'status 502'],
    ['that is no text', '\uFFFD\u0001', 'status 502'],
    ['that broke off', '{"message":"no su', 'status 502'],
  ])('%s', (_, body, message) => {
    expect(errorMessage(502, body)).toContain(message);
  });

  it('is a text for any body', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect(errorMessage(500, body).trim()).not.toBe('');
      }),
    );
  });
});
