import { beforeAll, describe, expect } from 'vitest';
import type { LogLine } from '../../source/contract/logs.ts';
import { line, own } from './line.ts';
import { done, linesIn, refused, textsIn } from './reading.ts';
import { deploy, eventually, printing, serviceUnderTest } from './service.ts';
import { connect, following, refusal } from './stream.ts';
import { reasonNotToAsk } from './target.ts';

const service = await serviceUnderTest();
const { owner } = service;

const numbers = Array.from({ length: 130 }, (_, index) => `line ${index}`);
const odd = ['Grüße, 日本 🙂', '100% of_it', 'back\\slash "quoted"', '{"level":"info"}'];
const jobLines = ['job one', 'job two', 'of both'];

let id: string;

beforeAll(async () => {
  const services = {
    web: printing([...numbers, ...odd, 'of both', 'last']),
    job: printing(jobLines),
  };
  ({ id } = await deploy(service, services));
  if (reasonNotToAsk(['programs']) !== undefined) return;
  await eventually(async () => {
    const [web, job] = [await texts({ service: 'web' }), await texts({ service: 'job' })];
    expect(web).toContain('last');
    expect(job).toContain('of both');
  });
});

type Query = Readonly<Record<string, string | number>>;

const fetched = async (query: Query = {}): Promise<readonly LogLine[]> =>
  linesIn(await owner.call('fetchLogs', { id, query }));

const texts = async (query: Query = {}) => textsIn(await owner.call('fetchLogs', { id, query }));

/** Returns all lines in the order of the service. */
const whole = () => fetched({ limit: 1000 });

describe('4. Endpoints: Logs: Fetch logs', () => {
  line('GET /api/v1/deployments/:id/logs', [], async () => {
    expect((await fetched()).length).toBeGreaterThan(0);
  });

  line('… of all services, each line as it was written', 'programs', async () => {
    const lines = (await whole()).map(({ logLine }) => logLine);
    expect(lines).toEqual(expect.arrayContaining([...numbers, ...odd, ...jobLines]));
    expect(lines.filter((text) => text === 'of both')).toHaveLength(2);
    const web = lines.filter((text) => numbers.includes(text));
    expect([numbers, numbers.toReversed()]).toContainEqual(web);
  });

  line('limit: Maximum number of logs returned.', 'programs', async () => {
    const all = await whole();
    for (const limit of [1, 7, 120]) {
      expect(await fetched({ limit })).toEqual(all.slice(0, limit));
    }
  });

  line('… Default 100.', 'programs', async () => {
    expect(await fetched()).toEqual((await whole()).slice(0, 100));
  });

  line('offset: Number of first logs to skip (pagination).', 'programs', async () => {
    const all = await whole();
    expect(await fetched({ offset: 20, limit: 1000 })).toEqual(all.slice(20));
    expect(await fetched({ offset: 1_000_000 })).toEqual([]);
  });

  line('… pages of limit and offset are the whole log, each line once', 'programs', async () => {
    const pages = [];
    for (let offset = 0; offset < 200; offset += 25) {
      pages.push(...(await fetched({ limit: 25, offset })));
    }
    expect(pages).toEqual(await whole());
  });

  line('service: Return only logs of the named service.', 'programs', async () => {
    const job = await texts({ service: 'job', limit: 1000 });
    expect(job).toEqual(expect.arrayContaining(jobLines));
    expect(job).not.toContain('line 0');
    expect(job.filter((text) => text === 'of both')).toHaveLength(1);
  });

  line('… of a service that is not there: no line of another', [], async () => {
    const answer = await owner.call('fetchLogs', { id, query: { service: 'no-such-service' } });
    if (answer.status < 300) expect(linesIn(answer)).toEqual([]);
    else refused(answer);
  });

  line('search: Return logs whose content matches the text.', 'programs', async () => {
    expect((await texts({ search: 'line 12' })).toSorted()).toEqual(
      numbers.filter((text) => text.includes('line 12')).toSorted(),
    );
    for (const text of odd) expect(await texts({ search: text })).toEqual([text]);
    expect(await texts({ search: 'nobody wrote this' })).toEqual([]);
  });

  line('… service, search, limit and offset together', 'programs', async () => {
    const query = { service: 'web', search: 'line' };
    const matching = await texts({ ...query, limit: 1000 });
    expect(matching).toHaveLength(130);
    expect(await texts({ ...query, limit: 5, offset: 10 })).toEqual(matching.slice(10, 15));
    expect(await texts({ service: 'job', search: 'of both' })).toEqual(['of both']);
  });

  own('the log of an unknown deployment is not found', async () => {
    refused(await owner.call('fetchLogs', { id: '00000000-0000-4000-8000-000000000000-999999' }));
  });

  own("newest first, with numbers without gaps and the stream's fields", async () => {
    const lines = await whole();
    const ids = lines.map(({ id: number }) => Number(number));
    expect(ids).toEqual(ids.map((_, index) => ids.length - index));
    expect(lines.find(({ logLine }) => logLine === 'line 7')).toEqual({
      id: expect.any(Number),
      deploymentId: id,
      serviceName: 'web',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      logLine: 'line 7',
      stream: 'stdout',
    });
  });

  own('search matches plain text, ignoring case', async () => {
    expect(await texts({ search: 'GRÜSSE' })).toEqual([]);
    expect(await texts({ search: 'grÜßE, 日' })).toEqual(['Grüße, 日本 🙂']);
    expect(await texts({ search: '100% OF_IT' })).toEqual(['100% of_it']);
    expect(await texts({ search: '1%t' })).toEqual([]);
    expect(await texts({ search: '.*' })).toEqual([]);
  });

  own('a limit from 1 to 10,000 and an offset from 0; else 422', async () => {
    done(await owner.call('fetchLogs', { id, query: { limit: 10_000, offset: 0 } }));
    const wrong: readonly Query[] = [
      { limit: 0 },
      { limit: -1 },
      { limit: 10_001 },
      { limit: 'ten' },
      { limit: '' },
      { offset: -1 },
      { offset: 1.5 },
      { search: 'x'.repeat(1001) },
    ];
    for (const query of wrong) {
      expect((await owner.call('fetchLogs', { id, query })).status).toBe(422);
    }
  });
});

describe.concurrent('4. Endpoints: Logs: Stream logs', () => {
  /** Program that repeats its lines, so that a late reader sees them too. */
  const talking = (name: string) =>
    `let n = 0; setInterval(() => console.log('${name} says', n++), 20)`;

  const deployed = () => deploy(service, { web: talking('web'), job: talking('job') });

  const frames = async (count: number) => {
    const talk = await deployed();
    const stream = await following(service, owner, talk.id, async (open) => {
      await eventually(() => {
        expect(open.messages.length).toBeGreaterThanOrEqual(count);
        const spoken = open.messages.filter(({ logLine }) => /says/.test(String(logLine)));
        expect(new Set(spoken.map(({ serviceName }) => serviceName)).size).toBe(2);
      });
      return open;
    });
    return { ...stream, id: talk.id };
  };

  line(
    'WebSocket, … path /api/v1/deployments/logs/stream, query parameter deploymentId',
    'programs',
    async () => {
      expect((await frames(1)).messages.length).toBeGreaterThan(0);
    },
  );

  line('text frames, each a JSON log message', 'programs', async () => {
    const { frames: all, messages, id: talked } = await frames(10);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      expect(message).toMatchObject({
        type: 'log',
        id: expect.any(Number),
        deploymentId: talked,
        serviceName: expect.stringMatching(/^(web|job)$/),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
        logLine: expect.any(String),
        stream: expect.any(String),
      });
    }
    expect(all.filter(({ text }) => text.includes('"log"')).every(({ isText }) => isText)).toBe(
      true,
    );
  });

  line(
    'Stream rule: a client handles a frame as a log line when its type is log, using serviceName and logLine.',
    'programs',
    async () => {
      const { messages } = await frames(10);
      for (const { serviceName, logLine } of messages) {
        if (String(logLine).includes('says')) {
          expect(logLine).toMatch(new RegExp(`^${String(serviceName)} says \\d+$`));
        }
      }
      expect(new Set(messages.map(({ serviceName }) => serviceName))).toEqual(
        new Set(['web', 'job']),
      );
    },
  );

  line('… the lines of this deployment and of no other', 'programs', async () => {
    await deployed();
    const { messages, id: talked } = await frames(10);
    expect(new Set(messages.map(({ deploymentId }) => deploymentId))).toEqual(new Set([talked]));
  });

  line('… a streamed line is fetched with the same number and text', 'programs', async () => {
    const { messages, id: talked } = await frames(10);
    const answer = await owner.call('fetchLogs', { id: talked, query: { limit: 1000 } });
    const all = new Map(linesIn(answer).map((each) => [String(each.id), each.logLine]));
    for (const message of messages) {
      expect(all.get(String(message.id))).toBe(message.logLine);
    }
  });

  own('continues where fetching ends, without missing or repeated lines', async () => {
    const { id: talked } = await deployed();
    await following(service, owner, talked, async (stream) => {
      const answer = await owner.call('fetchLogs', { id: talked, query: { limit: 1000 } });
      const before = linesIn(answer).map((each) => Number(each.id));
      const last = Math.max(0, ...before);
      await eventually(() => {
        expect(Number(stream.messages.at(-1)?.id)).toBeGreaterThan(last + 10);
      });
      const ids = stream.messages.map((message) => Number(message.id));
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
      expect(ids[0]).toBeLessThanOrEqual(last + 1);
    });
  });

  own('rejected before the upgrade: 404 for an unknown deployment, 422 without an id', async () => {
    expect(await refusal(connect(service, owner, { deploymentId: 'none' }))).toBe(404);
    expect(await refusal(connect(service, owner, {}))).toBe(422);
  });

  own('a GET without an upgrade: 426', async () => {
    const url = `/api/v1/deployments/logs/stream?deploymentId=${id}`;
    const answer = await owner.send('GET', url);
    expect(answer.status).toBe(426);
    expect(answer.headers['upgrade']).toBe('websocket');
  });
});
