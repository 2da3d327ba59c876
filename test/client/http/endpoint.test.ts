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
  ['', 'The base URL is empty.'],
  [' ', 'The base URL is empty.'],
  ['api.example.com', 'The base URL has no scheme.'],
  ['localhost:8080', 'The base URL has no scheme.'],
  ['//api.example.com', 'The base URL has no scheme.'],
  ['ftp://api.example.com', 'The base URL starts with ftp://, which is not http or https.'],
  ['htps://api.example.com', 'The base URL starts with htps://, which is not http or https.'],
  ['wss://api.example.com', 'The base URL starts with wss://, which is not http or https.'],
  ['https://user:secret@api.example.com', 'The base URL contains a user or a password.'],
  ['https://user:secret/0@api.example.com', 'The base URL contains a user or a password.'],
  ['https://api.example.com/?key=secret', 'The base URL contains a query.'],
  ['https://api.example.com/#secret', 'The base URL contains a fragment.'],
  [
    'https://api.example.com:99999',
    'The port of the base URL is 99999, and the highest port is 65535.',
  ],
  ['https://[::1]:65536/a', 'The port of the base URL is 65536, and the highest port is 65535.'],
  ['https://api.example.com:0', 'The port of the base URL is 0.'],
  ['https://api.example.com:secret', 'The port of the base URL is not a number.'],
  ['https://api.example.com:-1', 'The port of the base URL is not a number.'],
  ['https://', 'The base URL has no host.'],
  ['https://:8080', 'The base URL has no host.'],
  ['https://api example.com', 'The host of the base URL contains a space.'],
  ['https://api.\nexample.com', 'The base URL contains a line break or a tab.'],
  ['https://::1:8080', 'The IPv6 address in the base URL needs brackets.'],
  ['https://[::1', 'The host of the base URL is not a valid name or address.'],
  ['https://300.1.1.1', 'The host of the base URL is not a valid name or address.'],
  ['https://a<b', 'The host of the base URL is not a valid name or address.'],
])('%j is not a base URL, and its secrets are not shown: %s', (baseUrl, sentence) => {
  const endpoint = parseEndpoint(baseUrl, 'token');
  expect(endpoint).toMatchObject({ ok: false, sentence, next: expect.stringMatching(/\.$/) });
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
