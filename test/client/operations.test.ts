import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { groupByRequest } from '../../source/contract/exact-filename.ts';
import type { Client } from '../../source/client/client.ts';
import { createClient } from '../../source/client/client.ts';
import type { ErrorCode, Result, ServiceError } from '../../source/client/http/errors.ts';
import type { LogLine } from '../../source/contract/logs.ts';
import { idle, sdlOf, temporaryHost } from '../host/support/temporary-host.ts';
import { type Foreign, type ForeignOptions, startForeign } from '../servers/foreign.ts';
import {
  answering,
  frame,
  hangUp,
  type Script,
  silence,
  startHostile,
  upgrading,
} from '../servers/hostile.ts';
import { ask, everyOperation, isWrite, silentOperations } from './every-operation.ts';
import { createTally } from './tally.ts';
import { lineHandlers } from '../servers/log-frames.ts';

const check = createTally();

/** A service under test, with the data that the tests need. */
interface Subject {
  readonly baseUrl: string;
  readonly token: string;
  readonly wallet: string;
  readonly otherToken: string;
  readonly otherWallet: string;
  /** An SDL with the services `web` and `job`. */
  readonly sdl: string;
  close(): Promise<void>;
}

async function hostSubject(): Promise<Subject> {
  const place = await temporaryHost({ limits: { maxUpdateBytes: 1024, maxUploadPartBytes: 1024 } });
  const [owner, other] = [place.as('0xowner'), place.as('0xother')];
  return {
    baseUrl: place.host.baseUrl,
    token: owner.token,
    wallet: owner.wallet,
    otherToken: other.token,
    otherWallet: other.wallet,
    sdl: sdlOf({ web: idle, job: idle }),
    close: () => place.remove(),
  };
}

async function foreignSubject(options: Partial<ForeignOptions>): Promise<Subject> {
  const service = await startForeign({ largestFile: 1024, ...options });
  return { ...service, sdl: 'services:\n  web: {}\n  job: {}\n' };
}

/** Hostdeck's own host, and services that cover every variant the contract leaves open. */
const subjects: Readonly<Record<string, Partial<ForeignOptions>>> = {
  host: {},
  foreign: {},
  'foreign, named': {
    envelope: 'named',
    fieldCase: 'camel',
    services: 'objects',
    files: 'records',
    content: 'envelope',
    pathForm: 'segments',
    logOrder: 'newest',
    logIds: 'dense',
    errors: 'nested',
    grants: 'as-lists',
    streamAuth: 'subprotocol',
    prefix: '',
  },
  'foreign, items': {
    envelope: 'data-items',
    services: 'keyed',
    files: 'folders',
    content: 'base64',
    pathForm: 'both',
    logIds: 'huge',
    errors: 'list',
    grants: 'flat',
    streamAuth: 'query',
  },
  'foreign, result': {
    envelope: 'result',
    services: 'absent',
    content: 'bare-envelope',
    logLines: 'strings',
    logIds: 'none',
    errors: 'text',
    chatter: 'none',
  },
  'foreign, data': { envelope: 'data', logIds: 'text', errors: 'html', files: 'records' },
};

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.sentence} ${result.error.errorMessage ?? ''}`);
  return result.value;
}

function errorOf(result: Result<unknown>): ServiceError {
  if (result.ok) throw new Error('it succeeded');
  return result.error;
}

const nobody = '3f0c2a91-0000-4000-8000-000000000000-1';
const future = '2100-01-01T00:00:00.000Z';

describe.each(Object.entries(subjects))('%s', (name, options) => {
  let subject: Subject;
  let client: Client;
  let other: Client;
  let id: string;
  const { streamAuth, content } = options;

  beforeAll(async () => {
    subject = await (name === 'host' ? hostSubject() : foreignSubject(options));
    const { baseUrl, token, otherToken } = subject;
    client = createClient({ baseUrl, token, streamAuth });
    other = createClient({ baseUrl, token: otherToken, streamAuth });
    id = valueOf(await client.deployments.create(subject.sdl)).value.id;
  });

  afterAll(async () => {
    await client.close();
    await other.close();
    await subject.close();
  });

  for (const operation of everyOperation) {
    check(name, operation, 'with a wrong token is unauthorized', async () => {
      const { baseUrl } = subject;
      const stranger = createClient({ baseUrl, token: 'hd_wrong-token', streamAuth });
      onTestFinished(() => stranger.close());
      const error = errorOf(await ask(stranger, operation, id));
      expect(error).toMatchObject({ code: 'unauthorized', status: 401, unknownOutcome: false });
    });
  }

  for (const operation of everyOperation) {
    if (/listDeployments|createDeployment|Grant/.test(operation)) continue;
    check(name, operation, 'of a deployment that does not exist is not found', async () => {
      const error = errorOf(await ask(client, operation, nobody));
      expect(error).toMatchObject({ code: 'not-found', status: 404, unknownOutcome: false });
      const isPage = options.errors === 'html' && operation !== 'streamLogs';
      expect(error.errorMessage === undefined).toBe(isPage);
    });
  }

  check(name, 'createDeployment', 'returns the deployment with its services', async () => {
    const { value } = valueOf(await client.deployments.create(subject.sdl));
    expect(value.id).not.toBe(id);
    expect(value.services.map((service) => service.name)).toEqual(['web', 'job']);
    expect(value.sdl).toBe(subject.sdl);
  });

  check(name, 'createDeployment', 'with an invalid SDL is invalid', async () => {
    for (const sdl of ['services: [', 'services: {}', '']) {
      const error = errorOf(await client.deployments.create(sdl));
      expect(error).toMatchObject({ code: 'invalid', status: 422, unknownOutcome: false });
    }
  });

  check(name, 'listDeployments', 'returns each with id, state, services and owner', async () => {
    const found = valueOf(await client.deployments.list()).find(({ value }) => value.id === id);
    expect(found?.value).toMatchObject({ owner: subject.wallet });
    expect(found?.value.state).toBeTypeOf('string');
    expect(found?.value.createdAt).toMatch(/^\d{4}-.*Z$/);
    expect(found?.value.services.map((service) => service.name)).toEqual(['web', 'job']);
  });

  check(name, 'getDeployment', 'returns the same as the list', async () => {
    const { value } = valueOf(await client.deployments.get(id));
    expect(value).toMatchObject({ id, sdl: subject.sdl, owner: subject.wallet });
  });

  const tree: Readonly<Record<string, string>> = {
    'app.yaml': 'port: 80\r\n',
    'config/deep/er.json': '{"content":"not an envelope"}',
    'config/ü "quoted" & odd?.txt': 'grün\n',
    'empty.txt': '',
  };

  const uploaded = async (): Promise<void> => {
    const parts = Object.entries(tree).map(([path, text]) => ({
      path,
      source: { bytes: Buffer.from(text) },
    }));
    for (const group of groupByRequest(parts, (part) => part.path)) {
      valueOf(await client.files.upload(id, 'web', group));
    }
  };

  check(name, 'uploadFiles', 'keeps paths and contents', async () => {
    await uploaded();
    for (const [path, text] of Object.entries(tree)) {
      const file = valueOf(await client.files.get(id, 'web', path));
      expect(file).toMatchObject({ path, text, certainty: 'certain' });
    }
  });

  check(name, 'uploadFiles', 'with a part above the size limit is rejected', async () => {
    const parts = [{ path: 'large', source: { bytes: Buffer.alloc(2048) } }];
    const error = errorOf(await client.files.upload(id, 'web', parts));
    expect(error).toMatchObject({ code: 'too-large', status: 413 });
  });

  check(name, 'listFiles', 'returns every file', async () => {
    await uploaded();
    const files = valueOf(await client.files.list(id, 'web')).map(({ value }) => value);
    const paths = files.filter(({ directory }) => directory !== true).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(Object.keys(tree)));
    const sizes = files.map(({ path, size }) => [path, size]);
    if (sizes.some(([, size]) => size !== undefined)) {
      expect(sizes).toContainEqual(['app.yaml', 10]);
    }
  });

  check(name, 'listFiles', 'of a service that does not exist is not found', async () => {
    expect(errorOf(await client.files.list(id, 'nowhere')).code).toBe('not-found');
  });

  if (content === undefined || content === 'raw' || content === 'base64') {
    check(name, 'getFile', 'returns the bytes of a binary file', async () => {
      const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]);
      valueOf(await client.files.upload(id, 'web', [{ path: 'a/logo.png', source: { bytes } }]));
      const file = valueOf(await client.files.get(id, 'web', 'a/logo.png'));
      expect(Buffer.from(file.bytes)).toEqual(bytes);
      expect(file.text).toBeUndefined();
    });
  }

  check(name, 'getFile', 'of a file that does not exist is not found', async () => {
    for (const path of ['nowhere', 'config/nowhere']) {
      expect(errorOf(await client.files.get(id, 'web', path)).code).toBe('not-found');
    }
  });

  check(name, 'updateFile', 'replaces and creates files', async () => {
    for (const path of ['app.yaml', 'fresh/new file.yaml']) {
      valueOf(await client.files.update(id, 'web', path, 'port: 81\n'));
      expect(valueOf(await client.files.get(id, 'web', path)).text).toBe('port: 81\n');
    }
  });

  check(name, 'updateFile', 'with too much content is rejected', async () => {
    const error = errorOf(await client.files.update(id, 'web', 'app.yaml', 'x'.repeat(2048)));
    expect(error).toMatchObject({ code: 'too-large', status: 413, unknownOutcome: false });
  });

  check(name, 'renameFile', 'moves a file with its content', async () => {
    valueOf(await client.files.update(id, 'web', 'from.txt', 'moved'));
    valueOf(await client.files.rename(id, 'web', 'from.txt', 'to/here é.txt'));
    expect(valueOf(await client.files.get(id, 'web', 'to/here é.txt')).text).toBe('moved');
    expect(errorOf(await client.files.get(id, 'web', 'from.txt')).code).toBe('not-found');
  });

  check(name, 'renameFile', 'of a missing file, or onto another file, is rejected', async () => {
    valueOf(await client.files.update(id, 'web', 'taken.txt', '1'));
    valueOf(await client.files.update(id, 'web', 'mine.txt', '2'));
    const absent = errorOf(await client.files.rename(id, 'web', 'nowhere', 'b'));
    expect(absent.code).toBe('not-found');
    const taken = errorOf(await client.files.rename(id, 'web', 'mine.txt', 'taken.txt'));
    expect(taken).toMatchObject({ code: 'conflict', status: 409 });
  });

  check(name, 'deleteFile', 'removes a file, once', async () => {
    for (const path of ['gone.txt', 'deep/gone.txt']) {
      valueOf(await client.files.update(id, 'web', path, 'x'));
      valueOf(await client.files.delete(id, 'web', path));
      expect(errorOf(await client.files.delete(id, 'web', path)).code).toBe('not-found');
    }
  });

  check(name, 'restartDeployment', 'is accepted and appears in the log', async () => {
    const before = valueOf(await client.logs.fetch(id, { limit: 500 })).lines.length;
    valueOf(await client.deployments.restart(id));
    await expect
      .poll(async () => valueOf(await client.logs.fetch(id, { limit: 500 })).lines.length)
      .toBeGreaterThan(before);
  });

  check(name, 'fetchLogs', 'returns pages of lines in one order', async () => {
    valueOf(await client.deployments.restart(id));
    const query = { limit: 2 };
    await expect
      .poll(async () => valueOf(await client.logs.fetch(id, { ...query, offset: 2 })).lines.length)
      .toBe(2);
    const { lines } = valueOf(await client.logs.fetch(id, query));
    expect(lines).toHaveLength(2);
    for (const { value } of lines) {
      expect(value.logLine).toBeTypeOf('string');
      if (options.logLines !== 'strings') {
        expect(value).toMatchObject({ deploymentId: id, timestamp: expect.stringMatching(/Z$/) });
      }
      expect(value.id === undefined).toBe(options.logIds === 'none');
    }
  });

  check(name, 'fetchLogs', 'filters by service and by text', async () => {
    valueOf(await client.deployments.restart(id));
    const both = { limit: 500, service: 'job', search: 'no line says this' };
    expect(valueOf(await client.logs.fetch(id, both)).lines).toEqual([]);
    await expect
      .poll(async () => valueOf(await client.logs.fetch(id, { service: 'web' })).lines.length)
      .toBeGreaterThan(0);
    const { lines } = valueOf(await client.logs.fetch(id, { limit: 500, service: 'web' }));
    const services = new Set(lines.map(({ value }) => value.serviceName));
    expect([...services]).toEqual([options.logLines === 'strings' ? undefined : 'web']);
  });

  check(name, 'streamLogs', 'delivers the lines written after the opening', async () => {
    const lines: LogLine[] = [];
    const opened = Promise.withResolvers<void>();
    const stream = client.logs.stream(
      id,
      lineHandlers({
        onOpen: () => opened.resolve(),
        onLine: (line) => lines.push(line),
        onClose: (error) => opened.reject(new Error(error.sentence)),
      }),
    );
    onTestFinished(() => stream.close());
    await opened.promise;
    valueOf(await client.deployments.restart(id));
    await expect.poll(() => lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatchObject({ deploymentId: id, logLine: expect.any(String) });
      expect(['web', 'job']).toContain(line.serviceName);
    }
  });

  const grant = async () => {
    const request = { grantee: subject.otherWallet, limit: '12.5', expires_at: future };
    return valueOf(await client.grants.create(request)).value;
  };

  check(name, 'createGrant', 'returns the grant with nothing spent', async () => {
    const made = await grant();
    expect(made).toMatchObject({
      grantor: subject.wallet,
      grantee: subject.otherWallet,
      limit: 12.5,
      spent: 0,
    });
    expect(Date.parse(made.expires_at)).toBe(Date.parse(future));
  });

  check(name, 'createGrant', 'without a limit or in the past is invalid', async () => {
    const request = { grantee: subject.otherWallet, limit: '1', expires_at: future };
    const past = { ...request, expires_at: '2020-01-01T00:00:00.000Z' };
    for (const wrong of [{ ...request, limit: '0' }, past]) {
      expect(errorOf(await client.grants.create(wrong))).toMatchObject({
        code: 'invalid',
        status: 422,
      });
    }
  });

  check(name, 'listGrants', 'returns given and received grants', async () => {
    const given = await grant();
    const back = { grantee: subject.wallet, limit: '3', expires_at: future };
    const received = valueOf(await other.grants.create(back)).value;
    const ids = valueOf(await client.grants.list()).map(({ value }) => value.id);
    expect(ids).toEqual(expect.arrayContaining([given.id, received.id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  check(name, 'revokeGrant', 'ends a grant, which vanishes or is marked as revoked', async () => {
    const made = await grant();
    valueOf(await client.grants.revoke(made.id));
    const grants = valueOf(await client.grants.list()).map(({ value }) => value);
    const left = grants.find((found) => found.id === made.id);
    expect(left?.revoked_at ?? 'vanished').toMatch(/vanished|Z$/);
  });

  check(
    name,
    'revokeGrant',
    'by the grantee is forbidden, and of an unknown grant not found',
    async () => {
      const made = await grant();
      expect(errorOf(await other.grants.revoke(made.id))).toMatchObject({
        code: 'forbidden',
        status: 403,
      });
      expect(errorOf(await client.grants.revoke(nobody)).code).toBe('not-found');
    },
  );

  check(
    name,
    'closeDeployment',
    'closes a deployment, which then cannot be restarted',
    async () => {
      const { value } = valueOf(await client.deployments.create(subject.sdl));
      valueOf(await client.deployments.close(value.id));
      expect(errorOf(await client.deployments.restart(value.id))).toMatchObject({
        code: 'conflict',
        status: 409,
      });
    },
  );
});

/** Error code of each status, the same for every operation. */
const statusCodes: Readonly<Record<number, ErrorCode>> = {
  400: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  422: 'invalid',
  429: 'rate-limited',
  500: 'service-error',
  502: 'service-error',
  503: 'service-error',
};

describe('injected failures', () => {
  const retries = 1;
  let service: Foreign;
  let client: Client;

  beforeAll(async () => {
    service = await startForeign();
    client = createClient({ ...service, limits: { retries, retryDelay: 1 } });
  });

  afterAll(async () => {
    await client.close();
    await service.close();
  });

  for (const operation of everyOperation) {
    for (const [status, code] of Object.entries(statusCodes)) {
      check(
        'failing',
        operation,
        `with ${status} is ${code}, and a write is sent once`,
        async () => {
          const before = service.requests.length;
          const sent = isRepeated(operation, Number(status)) ? 1 + retries : 1;
          service.failNext(sent, { status: Number(status) });
          const error = errorOf(await ask(client, operation, service.sample));
          expect(error).toMatchObject({ code, status: Number(status) });
          expect(service.requests.length - before).toBe(sent);
        },
      );
    }
  }
});

function isRepeated(operation: (typeof everyOperation)[number], status: number): boolean {
  if (isWrite(operation) || operation === 'streamLogs') return false;
  // A log waits itself while the service limits requests.
  return status >= 500 || (status === 429 && operation !== 'fetchLogs');
}

/** Odd answers, with their error codes for operations that read JSON. */
const oddAnswers: readonly {
  readonly title: string;
  readonly script: Script;
  readonly code: ErrorCode;
  /** True when operations without a value and "get file content" accept the answer. */
  readonly onlyForReaders?: boolean;
}[] = [
  { title: 'a page', script: answering(200, '<!doctype html><p>hi</p>'), code: 'unreadable' },
  {
    title: 'half a JSON',
    script: answering(200, '[{"id":'),
    code: 'unreadable',
    onlyForReaders: true,
  },
  {
    title: 'another shape',
    script: answering(200, '42'),
    code: 'wrong-shape',
    onlyForReaders: true,
  },
  {
    title: 'success: false',
    script: answering(200, '{"success":false,"error":{"message":"no"}}'),
    code: 'service-error',
  },
  { title: 'too much', script: answering(200, ' '.repeat(2000)), code: 'oversized-answer' },
  { title: 'silence', script: silence, code: 'timeout' },
  { title: 'a lost connection', script: hangUp, code: 'disconnected' },
  {
    title: 'a redirect elsewhere',
    script: answering(307, '', { location: 'http://192.0.2.1/' }),
    code: 'redirected',
  },
];

describe('odd answers', { concurrent: true }, () => {
  for (const operation of everyOperation) {
    for (const { title, script, code, onlyForReaders } of oddAnswers) {
      const lenient = silentOperations.has(operation) || operation === 'getFile';
      const isFine = onlyForReaders === true && lenient;
      const expected = isFine ? 'ok' : oddCode(operation, title, code);
      check('odd', operation, `answered with ${title} is ${expected}`, async ({ expect }) => {
        const server = await startHostile(script);
        const limits = { answerTimeout: 50, connectTimeout: 500, maxAnswer: 1000, retries: 0 };
        const client = createClient({ baseUrl: server.baseUrl, token: 'token', limits });
        const result = await ask(client, operation, nobody);
        await client.close();
        await server.close();
        expect(result.ok ? 'ok' : result.error.code).toBe(expected);
        expect(server.heads).toHaveLength(1);
      });
    }
  }
});

describe('odd frames', () => {
  check('odd', 'streamLogs', 'counts messages that are not log lines', async () => {
    const server = await startHostile(upgrading((socket) => socket.write(frame('{}'))));
    onTestFinished(() => server.close());
    const client = createClient({ baseUrl: server.baseUrl, token: 'token' });
    onTestFinished(() => client.close());
    const other = await new Promise((resolve) => {
      client.logs.stream(
        nobody,
        lineHandlers({ onOpen() {}, onLine() {}, onOther: resolve, onClose: resolve }),
      );
    });
    expect(other).toBe('untyped');
  });
});

/** Returns the error code of an odd answer, with the exceptions for the stream and for files. */
function oddCode(operation: string, title: string, code: ErrorCode): ErrorCode | 'ok' {
  if (operation === 'getFile' && title === 'a page') return 'ok';
  if (operation !== 'streamLogs') return code;
  return ['timeout', 'disconnected', 'redirected'].includes(code) ? code : 'unreadable';
}
