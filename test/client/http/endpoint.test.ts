import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEndpoint, parseHost } from '../../../source/client/http/endpoint.ts';
import { anyText } from '../any-text.ts';

test.each([
  ['https://api.example.com', ''],
  ['https://api.example.com/', ''],
  ['http://127.0.0.1:8080/hosting/v9', '/hosting/v9'],
  ['http://[::1]:8080/hosting//', '/hosting'],
])('%s is valid with the prefix %j', (baseUrl, prefix) => {
  expect(parseEndpoint(baseUrl, 'token')).toMatchObject({ ok: true, prefix });
});

test.each([
  '',
  'api.example.com',
  'ftp://api.example.com',
  'https://user:secret@api.example.com',
  'https://api.example.com/?key=secret',
  'https://api.example.com/#part',
])('%j is not a base URL, and its secrets are not shown', (baseUrl) => {
  const endpoint = parseEndpoint(baseUrl, 'token');
  expect(endpoint.ok).toBe(false);
  expect(JSON.stringify(endpoint)).not.toContain('secret');
  expect(parseHost(baseUrl)).not.toContain('secret');
});

test.each([
  ['', 'No token is set.'],
  ['abc\n', 'The token contains a line break.'],
  ['abc\r\nX-Evil: 1', 'The token contains a line break.'],
  ['to ken', 'The token contains characters that are not allowed in an HTTP header.'],
  ['tok\u{2026}', 'The token contains characters that are not allowed in an HTTP header.'],
  ['tok\0', 'The token contains characters that are not allowed in an HTTP header.'],
])('the token %j is rejected: %s', (token, sentence) => {
  expect(parseEndpoint('https://api.example.com', token)).toMatchObject({ ok: false, sentence });
});

test('no base URL or token throws, or shows the token', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => `https://a${text}`),
      ),
      fc.string({ minLength: 9 }),
      (url, token) => {
        const endpoint = parseEndpoint(url, token);
        if (!endpoint.ok) expect(endpoint.sentence + endpoint.next).not.toContain(token);
        expect(typeof parseHost(url)).toBe('string');
      },
    ),
  );
});
