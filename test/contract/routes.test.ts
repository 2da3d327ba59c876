import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isRequestablePath,
  logStreamPath,
  type OperationName,
  operations,
  type PathForm,
  routePath,
  uploadField,
} from '../../source/contract/routes.ts';
import { codePoint } from '../support/code-point.ts';

const names = Object.keys(operations) as OperationName[];
const forms: readonly PathForm[] = ['segments', 'whole'];
const illFormed = 'a\uD800';

it('the 15 operations, the stream and the upload field match the contract', () => {
  expect(
    names.map((name) => `${operations[name].method} ${operations[name].path}`).toSorted(),
  ).toEqual([
    'DELETE /api/v1/deployments/:id/services/:name/files/:path',
    'DELETE /api/v1/grants/:id',
    'GET /api/v1/deployments',
    'GET /api/v1/deployments/:id',
    'GET /api/v1/deployments/:id/logs',
    'GET /api/v1/deployments/:id/services/:name/files',
    'GET /api/v1/deployments/:id/services/:name/files/:path',
    'GET /api/v1/grants',
    'PATCH /api/v1/deployments/:id/services/:name/files/rename',
    'POST /api/v1/deployments',
    'POST /api/v1/deployments/:id/close',
    'POST /api/v1/deployments/:id/restart',
    'POST /api/v1/deployments/:id/services/:name/files',
    'POST /api/v1/grants',
    'PUT /api/v1/deployments/:id/services/:name/files/:path',
  ]);
  expect(logStreamPath).toBe('/api/v1/deployments/logs/stream');
  expect(uploadField).toBe('files');
});

it('every operation has a unique title', () => {
  expect(new Set(names.map((name) => operations[name].title)).size).toBe(names.length);
});

describe('a path', () => {
  it('without parameters is the path of the operation', () => {
    expect(routePath('listDeployments')).toBe('/api/v1/deployments');
    expect(routePath('createGrant')).toBe('/api/v1/grants');
  });

  it('encodes ids and names as one segment each', () => {
    expect(routePath('restartDeployment', { id: 'a/b c?#%2F' })).toBe(
      '/api/v1/deployments/a%2Fb%20c%3F%23%252F/restart',
    );
    expect(routePath('listFiles', { id: ':name', name: '$&' })).toBe(
      '/api/v1/deployments/%3Aname/services/%24%26/files',
    );
    expect(routePath('fetchLogs', { id: 'ä\u{1F600}' })).toBe(
      '/api/v1/deployments/%C3%A4%F0%9F%98%80/logs',
    );
  });

  it('encodes a file path with its slashes, or as one segment', () => {
    const file = { id: 'd', name: 's', path: 'conf.d/my app.yaml' };
    const files = '/api/v1/deployments/d/services/s/files/';
    expect(routePath('getFile', file)).toBe(`${files}conf.d/my%20app.yaml`);
    expect(routePath('getFile', file, 'segments')).toBe(`${files}conf.d/my%20app.yaml`);
    expect(routePath('updateFile', file, 'whole')).toBe(`${files}conf.d%2Fmy%20app.yaml`);
  });

  it('replaces a lone surrogate in an id', () => {
    expect(routePath('getDeployment', { id: illFormed })).toBe('/api/v1/deployments/a%EF%BF%BD');
  });

  it('rejects parameters that a URL parser would normalise', () => {
    for (const id of ['', '.', '..']) {
      expect(() => routePath('getDeployment', { id })).toThrow(RangeError);
      expect(() => routePath('listFiles', { id: 'd', name: id })).toThrow(RangeError);
      expect(() => routePath('revokeGrant', { id })).toThrow(RangeError);
    }
    for (const path of ['', '/', '.', '..', 'a/../b', './a', 'a//b', '/a', 'a/', illFormed]) {
      for (const form of forms) {
        expect(() => routePath('deleteFile', { id: 'd', name: 's', path }, form)).toThrow(
          RangeError,
        );
      }
    }
  });

  it('needs all its parameters', () => {
    expect(() => routePath('getFile', { id: 'd', name: 's' })).toThrow('getFile needs :path');
    expect(() => routePath('getDeployment')).toThrow('getDeployment needs :id');
  });
});

describe('a requestable path', () => {
  it('has no empty, "." or ".." segments', () => {
    for (const path of ['a', 'a/b', '.env', '...', 'a/..b', 'a b', '%2e%2e', 'a\\..\\b']) {
      expect(isRequestablePath(path)).toBe(true);
    }
    for (const path of ['', '/', 'a/', '/a', 'a//b', '.', '..', 'a/./b', 'a/..']) {
      expect(isRequestablePath(path)).toBe(false);
    }
  });

  it('has no lone surrogates, which would address another file', () => {
    expect(isRequestablePath(illFormed)).toBe(false);
    expect(isRequestablePath('a/\u{1F600}')).toBe(true);
  });
});

describe('any path', () => {
  const odd = fc.constantFrom(
    '.',
    '..',
    '%2e',
    '%',
    ':path',
    '$1',
    '\\',
    '?',
    '#',
    ' ',
    '\t',
    '\n',
  );
  const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 8 }), odd);
  const segment = text.filter((value) => value !== '' && value !== '.' && value !== '..');
  const pathArbitrary = fc.array(text, { maxLength: 4 }).map((parts) => parts.join('/'));
  const url = (path: string) => new URL(path, 'http://host');

  it('survives a URL parser unchanged and decodes to its parameters', () => {
    fc.assert(
      fc.property(segment, segment, pathArbitrary, (id, name, path) => {
        fc.pre(isRequestablePath(path));
        const segments = routePath('getFile', { id, name, path }, 'segments');
        const whole = routePath('getFile', { id, name, path }, 'whole');
        for (const encoded of [segments, whole]) {
          const { pathname, search, hash } = url(encoded);
          expect({ pathname, search, hash }).toEqual({ pathname: encoded, search: '', hash: '' });
        }
        const [, , , , ...parts] = segments.split('/').map(decodeURIComponent);
        expect(parts).toEqual([id, 'services', name, 'files', ...path.split('/')]);
        expect(whole.split('/').map(decodeURIComponent).slice(8)).toEqual([path]);
      }),
    );
  });

  it('has a route exactly when it is requestable, in both forms', () => {
    fc.assert(
      fc.property(pathArbitrary, fc.constantFrom(...forms), (path, form) => {
        const make = () => routePath('getFile', { id: 'd', name: 's', path }, form);
        if (isRequestablePath(path)) expect(make()).toContain('/files/');
        else expect(make).toThrow(RangeError);
      }),
    );
  });
});
