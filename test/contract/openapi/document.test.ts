import { describe, expect, it } from 'vitest';
import { createOpenApiDocument } from '../../../source/contract/openapi/document.ts';
import {
  logStreamPath,
  type OperationName,
  operations,
  uploadField,
} from '../../../source/contract/routes.ts';
import { mismatches } from './schema-check.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: object;
}

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly description?: string }>
  >;
}

const document = createOpenApiDocument('1.2.3');
const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);
const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method,
    operation: operation as Described,
  })),
);

/** Yields every nested value with its key. */
function* within(value: unknown, key = ''): Generator<{ key: string; value: unknown }> {
  yield { key, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) yield* within(each, name);
}

function resolve(ref: string): unknown {
  const [root, ...names] = ref.split('/');
  expect(root).toBe('#');
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
}

describe('the OpenAPI document', () => {
  it.each(Object.keys(operations) as readonly OperationName[])('has %s', (name) => {
    const { method, path } = operations[name];
    const found = described.filter(({ operation }) => operation.operationId === name);
    expect(found.map((each) => [each.method.toUpperCase(), each.path])).toEqual([
      [method, path.replaceAll(/:(\w+)/g, '{$1}')],
    ]);
  });

  it('has the log stream and no other path', () => {
    expect(described).toHaveLength(Object.keys(operations).length + 1);
    expect(document.paths[logStreamPath]?.['get']).toMatchObject({
      operationId: 'streamLogs',
      parameters: [{ name: 'deploymentId', in: 'query', required: true }],
      responses: {
        101: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/StreamMessage' } },
          },
        },
      },
    });
  });

  it('has the required parts of OpenAPI 3.1 and is plain JSON', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: '1.2.3' });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { path, method, operation } of described) {
      expect(path).toMatch(/^\//);
      expect(methods).toContain(method);
      expect(tags).toContain(operation.tags[0]);
      expect(operation.description).toMatch(/\.$/);
      expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^[1-5]\d\d$/);
        expect(response.$ref ?? response.description).toEqual(expect.any(String));
      }
    }
  });

  it('declares every path parameter once, as required', () => {
    for (const { path, operation } of described) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const { in: place, required, schema } of operation.parameters) {
        expect(['path', 'query']).toContain(place);
        if (place === 'path') expect(required).toBe(true);
        expect(schema).toHaveProperty('type');
      }
    }
  });

  it('has no dangling references and no unused components', () => {
    const refs = [...within(document)]
      .filter(({ key }) => key === '$ref')
      .map(({ value }) => value);
    for (const ref of refs) expect(resolve(String(ref))).toBeTypeOf('object');
    const { schemas, responses } = document.components;
    const parts = [
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
    ];
    expect(parts.filter((part) => !refs.includes(part))).toEqual([]);
  });

  it('requires only declared fields', () => {
    for (const { value } of within(document)) {
      const { type, properties, required, items } = (value ?? {}) as Record<string, unknown>;
      if (type === 'object') {
        expect(Object.keys(properties as object)).toEqual(
          expect.arrayContaining(required as string[]),
        );
      }
      if (type === 'array') expect(items).toBeTypeOf('object');
    }
  });

  it('has a schema for every content of a body', () => {
    for (const { key, value } of within(document.paths)) {
      // A field of a schema has this name, too.
      if (key !== 'content' || 'type' in (value as object)) continue;
      for (const media of Object.values(value as object)) expect(media).toHaveProperty('schema');
    }
  });

  it('requires a bearer token everywhere', () => {
    const [[scheme = ''] = []] = document.security.map((each) => Object.keys(each));
    expect(resolve(`#/components/securitySchemes/${scheme}`)).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
    expect([...within(document.paths)].some(({ key }) => key === 'security')).toBe(false);
  });

  it('has the request bodies of the contract, uploads as multipart', () => {
    const bodies = described.flatMap(({ operation }) => {
      const { operationId, requestBody } = operation;
      return requestBody === undefined
        ? []
        : [[operationId, ...Object.keys(requestBody.content)].join(' ')];
    });
    expect(bodies.toSorted()).toEqual([
      'createDeployment application/json',
      'createGrant application/json',
      'renameFile application/json',
      'updateFile application/json',
      'uploadFiles multipart/form-data',
    ]);
    const upload = described.find(({ operation }) => operation.operationId === 'uploadFiles');
    expect(upload?.operation.requestBody?.content['multipart/form-data']?.schema).toMatchObject({
      properties: { [uploadField]: { type: 'array', items: { format: 'binary' } } },
    });
  });
});

describe('the check of answers', () => {
  const grant = {
    id: 'a',
    grantor: '0x1',
    grantee: '0x2',
    limit: 1.5,
    spent: 0,
    expires_at: '2030-01-01T00:00:00.000Z',
    created_at: '2029-01-01T00:00:00.000Z',
  };
  const check = (value: unknown) =>
    mismatches(document, { $ref: '#/components/schemas/Grant' }, value);

  it('accepts a matching value', () => {
    expect(check(grant)).toEqual([]);
    expect(check({ ...grant, revoked_at: grant.created_at })).toEqual([]);
  });

  it.each([
    [{ limit: '1' }, '$.limit: string, not number'],
    [{ limit: 0 }, '$.limit: too small'],
    [{ spent: -1 }, '$.spent: too small'],
    [{ more: 1 }, '$.more: not described'],
    [{ expires_at: 'soon' }, '$.expires_at: no timestamp'],
  ])('finds %j', (change, difference) => {
    expect(check({ ...grant, ...change })).toEqual([difference]);
  });
});
