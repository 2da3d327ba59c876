import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createRefusalError,
  createShapeError,
  createStatusError,
  createUnreadableError,
  parseRetryAfter,
} from '../../../source/client/http/answer-errors.ts';
import { createRequestTarget, redactError } from '../../../source/client/http/errors.ts';
import { defaultLimits } from '../../../source/client/http/limits.ts';
import { createTransportError } from '../../../source/client/http/transport-errors.ts';
import { operations } from '../../../source/contract/routes.ts';

const host = 'api.example.com';
const url = new URL(`https://${host}/base/api/v1/deployments`);
const list = createRequestTarget('listFiles', host);
const restart = createRequestTarget('restartDeployment', host);

function status(code: number, text = '', headers: Partial<Record<string, string>> = {}) {
  const { retryAfter, location } = headers;
  return createStatusError(list, { status: code, text, retryAfter, location }, url, 0);
}

describe('a status', () => {
  test.each([
    [400, 'bad-request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [405, 'bad-request'],
    [409, 'conflict'],
    [410, 'not-found'],
    [413, 'too-large'],
    [418, 'bad-request'],
    [422, 'invalid'],
    [429, 'rate-limited'],
    [500, 'service-error'],
    [503, 'service-error'],
    [599, 'service-error'],
    [302, 'unreadable'],
    [300, 'unreadable'],
    [304, 'unreadable'],
    [305, 'unreadable'],
    [206, 'unreadable'],
  ])('%i is %s', (code, expected) => {
    const error = status(code);
    expect(error).toMatchObject({ code: expected, status: code, operation: 'list files' });
    expect(error.sentence).toMatch(/^[A-Z0-9a-z].*\.$/);
    expect(error.sentence).toContain(String(code));
    expect(error.next).toMatch(/\.$/);
  });

  test('401 explains how to set a token', () => {
    const { sentence, next } = status(401);
    expect(`${sentence} ${next}`).toBe(
      'The service rejected the token (401). Use another token, then try again.',
    );
  });

  test('403 names the service and the caller', () => {
    const wallet = createRequestTarget('revokeGrant', host, '0x9f..a1');
    const error = createStatusError(wallet, { status: 403, text: '' }, url, 0);
    expect(error.sentence).toBe('api.example.com does not allow 0x9f..a1 to revoke grant (403).');
  });

  test('410 says that the resource was removed', () => {
    const target = createRequestTarget('fetchLogs', host);
    expect(createStatusError(target, { status: 410, text: '' }, url, 0)).toMatchObject({
      sentence: 'Fetch logs failed: no longer available (410).',
      next: 'The service has removed it.',
    });
  });

  test('404 suggests a deletion only for a named resource', () => {
    const next = (of: 'createDeployment' | 'createGrant' | 'revokeGrant') =>
      createStatusError(createRequestTarget(of, host), { status: 404, text: '' }, url, 0).next;
    expect(next('createDeployment')).toBe('Check the base URL.');
    expect(next('createGrant')).toBe('Check the base URL.');
    expect(next('revokeGrant')).toBe('It may no longer exist.');
  });

  test('400 of a write refers to its errors, and names no key', () => {
    const { next } = createStatusError(restart, { status: 400, text: '' }, url, 0);
    expect(next).toBe('Fix the reported errors, then try again.');
  });

  test('5xx of a restart has the text of screens.md', () => {
    const error = createStatusError(restart, { status: 503, text: '' }, url, 0);
    expect(error.sentence).toBe('Restart deployment failed (503).');
    expect(error.unknownOutcome).toBe(false);
  });

  test.each([502, 504])('%i leaves the outcome of a write unknown', (code) => {
    expect(createStatusError(restart, { status: code, text: '' }, url, 0).unknownOutcome).toBe(
      true,
    );
    expect(status(code).unknownOutcome).toBe(false);
  });

  test('429 says when to try again', () => {
    expect(status(429, '', { retryAfter: '12' })).toMatchObject({
      retryAfter: 12,
      next: 'Try again in 12 s.',
    });
  });

  test("carries the service's message", () => {
    expect(status(422, '{"error":{"code":"E","message":"line 3: no image"}}').errorMessage).toBe(
      'line 3: no image',
    );
    expect(status(502, '<html>nginx</html>').errorMessage).toBeUndefined();
  });

  test.each([
    [304, 'api.example.com says that nothing has changed, but no version was named (304)'],
    [206, 'api.example.com sent a part, but the whole was requested (206)'],
    [302, 'api.example.com redirects, but names no usable target (302)'],
    [306, 'api.example.com sent an unexpected status (306)'],
  ])('%i is told as what it is', (code, reason) => {
    expect(status(code).sentence).toBe(`Can't read the answer to list files: ${reason}.`);
    const of = createStatusError(restart, { status: code, text: '' }, url, 0);
    expect(of.unknownOutcome).toBe(true);
  });

  test('redirects name only the host of their target', () => {
    const error = status(302, '', { location: 'https://login.example.org/?token=abcd' });
    expect(error.sentence).toBe(
      'api.example.com redirects to https://login.example.org; the token was not sent there (302).',
    );
    expect(JSON.stringify(error)).not.toContain('abcd');
  });
});

test.each([
  ['12', 12],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:00:30 GMT', 30],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(parseRetryAfter(header, 500)).toBe(seconds);
});

describe('an unreadable answer', () => {
  const wrong = { ok: false, field: 'files[0].path', problem: 'is missing' } as const;

  test('names operation, status and field', () => {
    const { sentence, next, code, field, answer } = createShapeError(list, 200, '{}', wrong);
    expect({ code, field, answer }).toEqual({
      code: 'wrong-shape',
      field: 'files[0].path',
      answer: '{}',
    });
    expect(sentence).toBe("Can't read the answer to list files (200): files[0].path is missing.");
    // The program that shows the error knows whether a key shows the answer, and which one.
    expect(next).toBe('');
  });

  test('names the actual type', () => {
    const page = createUnreadableError(list, 200, '<!DOCTYPE html><title>Sign in</title>');
    expect(page.sentence).toBe("Can't read the answer to list files (200): it is an HTML page.");
    expect(createUnreadableError(list, 200, 'oops').sentence).toContain('it is not JSON');
  });

  test('leaves the outcome of a write unknown', () => {
    expect(createShapeError(restart, 200, '{}', wrong)).toMatchObject({
      unknownOutcome: true,
      next: 'The operation may have succeeded. Check its log before you restart it again.',
    });
  });

  test('with success: false is an error', () => {
    expect(createRefusalError(restart, 200, { errorMessage: 'no funds' })).toMatchObject({
      code: 'service-error',
      status: 200,
      errorMessage: 'no funds',
      unknownOutcome: false,
    });
  });
});

function thrown(code: string, more: object = {}): Error {
  return Object.assign(new Error(`message of ${code}`), { code, ...more });
}

describe('a failed connection', () => {
  test.each([
    [thrown('ECONNREFUSED', { syscall: 'connect' }), 'refused'],
    [thrown('EHOSTUNREACH', { syscall: 'connect' }), 'refused'],
    [thrown('ENOTFOUND', { syscall: 'getaddrinfo' }), 'dns'],
    [thrown('EAI_AGAIN'), 'dns'],
    [thrown('CERT_HAS_EXPIRED'), 'tls'],
    [thrown('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
    [thrown('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls'],
    [thrown('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls'],
    [thrown('EPROTO'), 'tls'],
    [thrown('UND_ERR_CONNECT_TIMEOUT'), 'timeout'],
    [thrown('ETIMEDOUT', { syscall: 'connect' }), 'timeout'],
  ])('%s is %s, and nothing was sent', (cause, code) => {
    expect(createTransportError(restart, cause, defaultLimits)).toMatchObject({
      code,
      unknownOutcome: false,
    });
  });

  test.each([
    [thrown('UND_ERR_HEADERS_TIMEOUT'), 'timeout'],
    [thrown('UND_ERR_BODY_TIMEOUT'), 'timeout'],
    [thrown('UND_ERR_SOCKET'), 'disconnected'],
    [thrown('ECONNRESET', { syscall: 'read' }), 'disconnected'],
    [thrown('ETIMEDOUT', { syscall: 'read' }), 'timeout'],
    [thrown('EPIPE'), 'disconnected'],
    [thrown('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'oversized-answer'],
    [thrown('HPE_INVALID_CONSTANT'), 'unreadable'],
    [new DOMException('', 'AbortError'), 'aborted'],
    [new Error('what?'), 'disconnected'],
    ['not even an error', 'disconnected'],
  ])('%s is %s, and the outcome of a write is unknown', (cause, code) => {
    expect(createTransportError(list, cause, defaultLimits)).toMatchObject({
      code,
      unknownOutcome: false,
    });
    expect(createTransportError(restart, cause, defaultLimits)).toMatchObject({
      code,
      unknownOutcome: true,
      next: expect.stringContaining('.'),
    });
  });

  test.each([
    ['UND_ERR_HEADERS_OVERFLOW', 'The headers of the answer to list files are larger than 16 KiB.'],
    ['HPE_HEADER_OVERFLOW', 'The headers of the answer to list files are larger than 16 KiB.'],
    ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'is larger than 64 MiB.'],
    ['HPE_INVALID_CONSTANT', "Can't read the answer to list files: it is not HTTP."],
    ['HPE_INVALID_VERSION', 'it is not HTTP.'],
    ['HPE_INVALID_HEADER_TOKEN', 'one of its headers is not valid.'],
    ['HPE_INVALID_CONTENT_LENGTH', 'its Content-Length is not a number.'],
    ['HPE_UNEXPECTED_CONTENT_LENGTH', 'its length is contradictory.'],
    ['HPE_INVALID_CHUNK_SIZE', 'a part of its body has no valid length.'],
    ['HPE_INVALID_EOF_STATE', 'before the connection was lost.'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'before the connection was lost.'],
    ['EAI_AGAIN', "The name server can't resolve api.example.com now."],
    ['EAI_NONAME', "Can't find the address of api.example.com."],
    ['EPERM', 'This machine does not allow a connection to api.example.com (EPERM).'],
    ['ERROR_IN_CERT_NOT_AFTER_FIELD', "Can't connect securely to api.example.com"],
    ['INVALID_PURPOSE', "Can't connect securely to api.example.com"],
    ['ENFILE', "Can't list files: message of ENFILE."],
    ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', "Can't list files: message of"],
  ])('%s has a sentence of its own', (code, sentence) => {
    expect(createTransportError(list, thrown(code), defaultLimits).sentence).toContain(sentence);
  });

  test('by the status 101 is told as one', () => {
    const cause = Object.assign(new Error('bad upgrade'), { code: 'UND_ERR_SOCKET' });
    expect(createTransportError(list, cause, defaultLimits).sentence).toBe(
      "Can't read the answer to list files: it switches to another protocol (101).",
    );
  });

  test('is classified by its cause', () => {
    const wrapped = new Error('fetch failed', { cause: thrown('ENOTFOUND') });
    expect(createTransportError(list, wrapped, defaultLimits).code).toBe('dns');
  });

  test('states the timeout', () => {
    const connect = createTransportError(list, thrown('UND_ERR_CONNECT_TIMEOUT'), defaultLimits);
    expect(connect.sentence).toBe('No connection to api.example.com within 10 s.');
    const answer = createTransportError(restart, thrown('UND_ERR_HEADERS_TIMEOUT'), defaultLimits);
    expect(answer.sentence).toBe(
      'No answer from api.example.com to restart deployment within 30 s; it may have succeeded.',
    );
  });
});

test('every write has a hint for checking its outcome', () => {
  for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
    expect(createRequestTarget(name, host).outcomeHint).toMatch(/\.$/);
    expect(createRequestTarget(name, host).isWrite).toBe(operations[name].method !== 'GET');
  }
});

describe('an error that leaves the client', () => {
  const token = fc
    .string({ minLength: 8, maxLength: 60 })
    .filter((text) => /^[\x21-\x7e]+$/.test(text));

  test('never contains the token in any spelling', () => {
    const spellings = [
      (text: string) => text,
      (text: string) => encodeURIComponent(text),
      (text: string) => JSON.stringify(text),
      (text: string) => JSON.stringify(text).replaceAll('/', '\\/'),
    ];
    fc.assert(
      fc.property(token, fc.constantFrom(...spellings), fc.nat(70_000), (secret, spell, before) => {
        const text = `${' '.repeat(before)}who is ${spell(secret)}?`;
        const wrong = { ok: false, field: spell(secret), problem: 'is missing' } as const;
        for (const error of [
          createShapeError(list, 200, text, wrong),
          createStatusError(list, { status: 401, text }, url, 0),
          createRefusalError(list, 200, { errorMessage: text }),
        ]) {
          const {
            sentence,
            next,
            errorMessage = '',
            field = '',
            answer = '',
          } = redactError(error, secret);
          const shown = [sentence, next, errorMessage, field, answer].join('\n');
          expect(shown).not.toContain(secret);
          expect(shown).not.toContain(encodeURIComponent(secret));
          // The cut must not leave a part of the token either.
          expect(answer.endsWith(secret.slice(0, 6))).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('hides the token in every detail of an error', () => {
    const error = createRefusalError(list, 200, {
      errorMessage: 'no',
      errorDetails: [{ field: 'x secret-token', message: 'bad secret-token', line: 3 }],
    });
    expect(redactError(error, 'secret-token').errorDetails).toEqual([
      { field: 'x [token]', message: 'bad [token]', line: 3 },
    ]);
  });

  test('has bounded texts', () => {
    const long = 'x'.repeat(1_000_000);
    const error = redactError(createUnreadableError(list, 200, long), 'secret-token');
    expect(error.answer?.length).toBe(64 * 1024);
    expect(
      redactError(createRefusalError(list, 200, { errorMessage: long }), 'secret-token')
        .errorMessage?.length,
    ).toBe(2000);
  });
});
