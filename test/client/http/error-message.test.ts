import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseErrorMessage } from '../../../source/client/http/error-message.ts';
import { anyText } from '../any-text.ts';

test.each([
  ['{"error":"no"}', 'no'],
  ['{"error":{"code":"E1","message":"no","details":{}}}', 'no'],
  ['{"success":false,"error":{"code":"E1"}}', 'E1'],
  ['{"message":"no"}', 'no'],
  ['{"errors":["a","b"]}', 'a; b'],
  ['{"errors":[{"message":"a","field":"limit"},{"message":"b"}]}', 'limit: a; b'],
  ['{"detail":"no"}', 'no'],
  ['{"detail":[{"loc":["body","sdl"],"msg":"field required"}]}', 'body.sdl: field required'],
  ['{"title":"Bad","detail":"no such thing"}', 'no such thing'],
  ['{"title":"Bad"}', 'Bad'],
  ['{"error":"invalid_token","error_description":"expired"}', 'expired'],
  ['"no"', 'no'],
  ['  plain text\n', 'plain text'],
  ['{"broken', '{"broken'],
])('%s has the message %j', (body, message) => {
  expect(parseErrorMessage(body)).toBe(message);
});

test.each([
  '',
  '  \n',
  '<!doctype html><h1>502 Bad Gateway</h1>',
  '\n<html><body>sorry</body></html>',
  '<?xml version="1.0"?><Error/>',
  '{}',
  '{"error":null,"message":""}',
  'null',
  '42',
  'a\0b',
])('%j has no message', (body) => {
  expect(parseErrorMessage(body)).toBeUndefined();
});

test('no body makes it throw', () => {
  const body = fc.oneof(fc.json(), anyText);
  fc.assert(
    fc.property(body, (text) => {
      expect(['string', 'undefined']).toContain(typeof parseErrorMessage(text));
    }),
    { numRuns: 500 },
  );
});
