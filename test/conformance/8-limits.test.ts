import { beforeAll, describe, expect } from 'vitest';
import { give, listed } from './giving.ts';
import { line, own } from './line.ts';
import { deploymentIn, done, linesIn } from './reading.ts';
import {
  deploy,
  eventually,
  idle,
  type MadeDeployment,
  onePerSecond,
  printing,
  serviceUnderTest,
} from './service.ts';

const service = await serviceUnderTest();
const { owner } = service;

let made: MadeDeployment;

beforeAll(async () => {
  const many = Array.from({ length: 120 }, (_, index) => `line ${index}`);
  made = await deploy(service, { web: printing([...many, 'last']) });
});

describe.concurrent('8. Limits', () => {
  line('Default number of logs returned: fetch logs: 100', 'programs', async () => {
    await eventually(async () => {
      const query = { limit: 1000 };
      const lines = linesIn(await owner.call('fetchLogs', { id: made.id, query }));
      expect(lines.map(({ logLine }) => logLine)).toContain('last');
    });
    expect(linesIn(await owner.call('fetchLogs', { id: made.id }))).toHaveLength(100);
  });

  line(
    'Grant spending limit: each grant: the limit field; once spent reaches it, further spending by the grantee is blocked',
    'balances',
    async () => {
      const grantor = service.wallet('0xgenerous', '100');
      const grantee = service.wallet('0xguest', '0');
      const { id } = await give(service, grantor, { to: '0xguest', limit: 1.1 });
      const price = onePerSecond;
      const made = await deploy(service, { web: idle }, { caller: grantee, price });
      await eventually(async () => {
        const answer = await grantee.call('getDeployment', { id: made.id });
        expect(deploymentIn(answer).value.state).toBe('suspended');
      });
      expect(await listed(grantor, id)).toMatchObject({ limit: 1.1, spent: 1.1 });
      expect(service.balance('0xgenerous')).toBe('98.9');
    },
  );

  line(
    'Grant lifetime: each grant: until expires_at; expired grants cannot be renewed',
    'balances',
    async () => {
      const grantor = service.wallet('0xbrief', '100');
      const grantee = service.wallet('0xhasty', '0');
      const { id } = await give(service, grantor, { to: '0xhasty', seconds: 1.5 });
      const price = onePerSecond;
      const made = await deploy(service, { web: idle }, { caller: grantee, price });
      await eventually(async () => {
        const answer = await grantee.call('getDeployment', { id: made.id });
        expect(deploymentIn(answer).value.state).toBe('suspended');
      });
      const { spent, expires_at: expires } = (await listed(grantor, id)) ?? {};
      expect(Date.parse(expires ?? '')).toBeLessThan(Date.now());
      expect(spent).toBeLessThan(3);
      await give(service, grantor, { to: '0xhasty' });
      await eventually(async () => {
        const answer = await grantee.call('getDeployment', { id: made.id });
        expect(deploymentIn(answer).value.state).toBe('active');
      });
      expect((await listed(grantor, id))?.spent).toBe(spent);
    },
  );

  own('10 MiB for a PUT; more is 413, and the file is unchanged', async () => {
    const at = { ...made.place, path: 'ten-mebibytes.txt' };
    const most = 'x'.repeat(10 * 1024 * 1024);
    done(await owner.call('updateFile', { ...at, json: { content: most } }));
    const answer = await owner.call('updateFile', { ...at, json: { content: `${most}y` } });
    expect(answer.status).toBe(413);
    const headers = { accept: 'application/octet-stream' };
    expect((await owner.call('getFile', { ...at, headers })).text === most).toBe(true);
    done(await owner.call('deleteFile', at));
  });

  own('10,000 lines for a fetch; more is 422', async () => {
    const ask = (limit: number) => owner.call('fetchLogs', { id: made.id, query: { limit } });
    done(await ask(10_000));
    expect((await ask(10_001)).status).toBe(422);
  });
});
