import { beforeAll, describe, expect } from 'vitest';
import { formOf } from '../host/support/temporary-host.ts';
import { ask, give, inSeconds, listed } from './giving.ts';
import { line, own } from './line.ts';
import { contentIn, deploymentIn, done, filesIn, grantIn, linesIn } from './reading.ts';
import {
  deploy,
  eventually,
  idle,
  type MadeDeployment,
  onePerSecond,
  printing,
  serviceUnderTest,
} from './service.ts';
import { following, type StreamMessage } from './stream.ts';

const service = await serviceUnderTest();
const { owner } = service;

/** Matches ISO 8601 UTC, the contract's form of times. */
const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;

let made: MadeDeployment;

beforeAll(async () => {
  const says = `setInterval(() => { console.log('out'); console.error('err') }, 50)`;
  made = await deploy(service, { web: says, job: printing(['of the job']) });
});

describe('2. Resources: Deployment', () => {
  line(
    'id: Identifier. As seen in log messages it is a UUID followed by a hyphen and a digit sequence.',
    [],
    async () => {
      expect(made.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+$/i);
    },
  );

  own('has id, name, state, createdAt, owner, sdl and services', async () => {
    const { value, services } = deploymentIn(await owner.call('getDeployment', { id: made.id }));
    expect(value).toMatchObject({
      id: made.id,
      name: expect.stringMatching(/./),
      state: expect.stringMatching(/^(starting|active)$/),
      createdAt: expect.stringMatching(isoUtc),
      owner: expect.stringMatching(/./),
      sdl: expect.stringContaining('services'),
    });
    expect(services?.map(({ name }) => name)).toEqual(made.names);
  });

  own('a service has name, state, startedAt, restarts and exitCode', async () => {
    await eventually(async () => {
      const { services } = deploymentIn(await owner.call('getDeployment', { id: made.id }));
      expect(services?.[0]).toMatchObject({
        name: made.place.name,
        state: 'active',
        startedAt: expect.stringMatching(isoUtc),
        restarts: 0,
        exitCode: null,
      });
    });
  });
});

describe('2. Resources: Service', () => {
  line('name: Identifies the service within its deployment.', [], async () => {
    const [first = '', second] = made.names;
    const path = `${first}.txt`;
    const json = { content: 'of the first service' };
    done(await owner.call('updateFile', { ...made.place, path, json }));
    for (const name of second === undefined ? [] : [second]) {
      const files = filesIn(await owner.call('listFiles', { id: made.id, name }));
      expect(files.map((file) => file.path)).not.toContain(path);
    }
  });

  line('Used as :name in file paths and as the service filter in logs.', 'programs', async () => {
    await eventually(async () => {
      const query = { service: 'job' };
      const lines = linesIn(await owner.call('fetchLogs', { id: made.id, query }));
      expect(lines.map(({ logLine }) => logLine)).toContain('of the job');
      expect(new Set(lines.map(({ serviceName }) => serviceName ?? 'job'))).toEqual(
        new Set(['job']),
      );
    });
  });
});

describe('2. Resources: File', () => {
  line('path: Path of the file inside the service. Used as :path.', [], async () => {
    const form = formOf({ 'a.txt': 'text of a', 'b.txt': 'text of b' });
    done(await owner.call('uploadFiles', { ...made.place, form }));
    for (const { path } of filesIn(await owner.call('listFiles', made.place))) {
      done(await owner.call('getFile', { ...made.place, path }));
    }
  });

  line('content: Text content, sent when updating a file.', [], async () => {
    const texts = ['one\ntwo\n', 'no newline', 'a\r\nb\r\n', 'Grüße, 日本 🙂 "quoted" \\ \t', ''];
    for (const content of texts) {
      const at = { ...made.place, path: 'content.txt' };
      done(await owner.call('updateFile', { ...at, json: { content } }));
      const read = contentIn(await owner.call('getFile', at), at.path);
      expect(read.toString()).toBe(content);
    }
  });

  own('a file record has path, size and modifiedAt', async () => {
    const at = { ...made.place, path: 'record.txt' };
    done(await owner.call('updateFile', { ...at, json: { content: 'süß' } }));
    const files = filesIn(await owner.call('listFiles', made.place));
    expect(files).toContainEqual({
      path: 'record.txt',
      size: 5,
      modifiedAt: expect.stringMatching(isoUtc),
    });
  });
});

describe('2. Resources: Grant', () => {
  const grant = () => give(service, owner, { to: service.grantee, limit: 12.75 });

  line('id: Grant identifier, assigned by the service.', [], async () => {
    const [one, other] = [await grant(), await grant()];
    expect(one.id).toEqual(expect.stringMatching(/./));
    expect(other.id).not.toBe(one.id);
  });

  line('grantor: Wallet address of the party who created the grant.', [], async () => {
    const [one, other] = [await grant(), await grant()];
    expect(one.grantor).toEqual(expect.stringMatching(/./));
    expect(other.grantor).toBe(one.grantor);
  });

  line('grantee: Wallet address allowed to spend.', [], async () => {
    expect((await grant()).grantee).toBe(service.grantee);
  });

  line('limit: Maximum total the grantee may spend (decimal amount).', [], async () => {
    expect((await grant()).limit).toBe(12.75);
  });

  line('spent: Amount spent so far against the limit. It is 0 on creation …', [], async () => {
    const { id, spent } = await grant();
    expect(spent).toBe(0);
    expect((await listed(owner, id))?.spent).toBe(0);
  });

  line('… and is tracked in real time.', 'balances', async () => {
    const grantor = service.wallet('0xwatching', '100');
    const caller = service.wallet('0xwatched', '0');
    const { id } = await give(service, grantor, { to: '0xwatched' });
    await deploy(service, { web: idle }, { caller, price: onePerSecond });
    const looks = new Set<number>();
    await eventually(async () => {
      for (const wallet of [grantor, caller]) looks.add((await listed(wallet, id))?.spent ?? -1);
      expect(looks.size).toBeGreaterThan(3);
    });
    const spent = [...looks];
    expect(spent).toEqual(spent.toSorted((one, other) => one - other));
  });

  line(
    'expires_at: ISO 8601 UTC timestamp. After it the grantee can no longer spend.',
    [],
    async () => {
      const before = Date.now();
      const { expires_at: expires } = await grant();
      expect(expires).toMatch(isoUtc);
      expect(Date.parse(expires)).toBeGreaterThanOrEqual(before + 3_599_000);
      expect(Date.parse(expires)).toBeLessThanOrEqual(Date.now() + 3_600_000);
    },
  );

  line('created_at: ISO 8601 UTC timestamp of creation.', [], async () => {
    const answer = await ask(service, owner, { to: service.grantee });
    const { created_at: created } = grantIn(answer);
    expect(created).toMatch(isoUtc);
    // Compare with the service's clock, from the Date header.
    const now = Date.parse(String(answer.headers['date'] ?? new Date().toUTCString()));
    expect(Math.abs(Date.parse(created) - now)).toBeLessThan(10_000);
  });

  line(
    'Grant envelope on creation: an object with success (boolean) and grant (the Grant object).',
    [],
    async () => {
      const { json } = await ask(service, owner, { to: service.grantee, limit: 3 });
      expect(json).toMatchObject({
        success: true,
        grant: {
          id: expect.any(String),
          grantor: expect.any(String),
          grantee: service.grantee,
          limit: 3,
          spent: 0,
          expires_at: expect.any(String),
          created_at: expect.any(String),
        },
      });
    },
  );

  own('expires_at may have an offset and is returned in UTC', async () => {
    const json = { grantee: service.grantee, limit: 1, expires_at: '2100-01-01T02:00:00.5+02:00' };
    const answer = done(await owner.call('createGrant', { json }));
    const sent = grantIn(answer);
    expect(sent.expires_at).toBe('2100-01-01T00:00:00.500Z');
    done(await owner.call('revokeGrant', { id: sent.id }));
  });

  own('a limit keeps all of its 18 decimals, also in the list', async () => {
    const limit = '100000000000000.000000000000000001';
    const body = `{"grantee":"${service.grantee}","limit":${limit},"expires_at":"${inSeconds(60)}"}`;
    const headers = { 'content-type': 'application/json' };
    const answer = done(await owner.send('POST', '/api/v1/grants', { headers, body }));
    expect(answer.text).toContain(`"limit":${limit},`);
    expect((await owner.call('listGrants')).text).toContain(`"limit":${limit},`);
    done(await owner.call('revokeGrant', { id: grantIn(answer).id }));
  });

  line('List grants: the same record in the list', [], async () => {
    const { id, grantor } = await give(service, owner, { to: service.grantee });
    expect(await listed(owner, id)).toMatchObject({ grantor, grantee: service.grantee });
  });
});

describe('2. Resources: Log message (WebSocket)', () => {
  const message = (text: string) =>
    following(service, owner, made.id, async (stream): Promise<StreamMessage> => {
      await stream.until(text);
      return stream.messages.find(({ logLine }) => logLine === text) as StreamMessage;
    });

  line('type: Message kind. The value log marks a log line.', 'programs', async () => {
    expect((await message('out')).type).toBe('log');
  });

  line('id: number: Log entry number.', 'programs', async () => {
    const { id } = await message('out');
    expect(id).toEqual(expect.any(Number));
    expect(Number.isInteger(id)).toBe(true);
  });

  line('deploymentId: Deployment identifier.', 'programs', async () => {
    expect((await message('out')).deploymentId).toBe(made.id);
  });

  line('serviceName: Name of the service that produced the line.', 'programs', async () => {
    expect((await message('out')).serviceName).toBe('web');
  });

  line('timestamp: ISO 8601 UTC timestamp with fractional seconds.', 'programs', async () => {
    const { timestamp } = await message('out');
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    expect(Math.abs(Date.parse(String(timestamp)) - Date.now())).toBeLessThan(60_000);
  });

  line('logLine: The log text.', 'programs', async () => {
    expect((await message('out')).logLine).toBe('out');
  });

  line('stream: Output stream; stdout is the value used.', 'programs', async () => {
    expect((await message('out')).stream).toBe('stdout');
  });

  own(
    'what a service writes to its standard error has stream stderr',
    async () => {
      expect((await message('err')).stream).toBe('stderr');
    },
    'programs',
  );

  own(
    "the host's own words have stream system",
    async () => {
      const { id } = await deploy(service, { web: idle });
      await eventually(async () => {
        const lines = linesIn(await owner.call('fetchLogs', { id }));
        expect(lines).toContainEqual(
          expect.objectContaining({ logLine: expect.stringMatching(/^started/), stream: 'system' }),
        );
      });
    },
    'programs',
  );
});
