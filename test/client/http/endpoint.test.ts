import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpointOf, hostOf } from '../../../source/client/http/endpoint.ts';
import { anyText } from '../any-text.ts';

test.each([
  ['https://api.example.com', ''],
  ['https://api.example.com/', ''],
  ['http://127.0.0.1:8080/hosting/v9', '/hosting/v9'],
  ['http://[::1]:8080/hosting//', '/hosting'],
])('%s is usable, its prefix is %j', (baseUrl, prefix) => {
  expect(endpointOf(baseUrl, 'token')).toMatchObject({ ok: true, prefix });
});

test.each([
  '',
  'api.example.com',
  'ftp://api.example.com',
  'https://user:secret@api.example.com',
  'https://api.example.com/?key=secret',
  'https://api.example.com/#part',
])('%j is no base URL, and is said without its secrets', (baseUrl) => {
  const endpoint = endpointOf(baseUrl, 'token');
  expect(endpoint.ok).toBe(false);
  expect(JSON.stringify(endpoint)).not.toContain('secret');
  expect(hostOf(baseUrl)).not.toContain('secret');
});

test.each([
  ['', 'There is no token.'],
  ['abc\n', 'The token contains a line break.'],
  ['abc\r\nX-Evil: 1', 'The token contains a line break.'],
  ['to ken', 'The token contains characters that no header can carry.'],
  ['tok\u{2026}', 'The token contains characters that no header can carry.'],
  ['tok\0', 'The token contains characters that no header can carry.'],
])('the token %j is refused: %s', (token, sentence) => {
  expect(endpointOf('https://api.example.com', token)).toMatchObject({ ok: false, sentence });
});

test('no base URL and no token makes it throw or repeats the token', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => `https://a${text}`),
      ),
      fc.string({ minLength: 9 }),
      (url, token) => {
        const endpoint = endpointOf(url, token);
        if (!endpoint.ok) expect(endpoint.sentence + endpoint.next).not.toContain(token);
        expect(typeof hostOf(url)).toBe('string');
      },
    ),
  );
});
