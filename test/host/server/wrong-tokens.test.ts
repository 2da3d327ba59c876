import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../../source/contract/routes.ts';
import { WrongTokenLimiter } from '../../../source/host/server/caller-limits.ts';
import { deploy, errorIn } from '../support/bodies.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  callHost,
  idle,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';

const clock = new ManualClock();
let service: TemporaryHost;

beforeEach(async () => {
  service = await temporaryHost({
    clock,
    exposure: { address: '127.0.0.1', port: 0 },
    limits: { wrongTokensPerMinute: 3, streamsPerWallet: 2 },
  });
});

afterEach(() => service.remove());

const send = (token: string | undefined, baseUrl = service.host.baseUrl) =>
  callHost(baseUrl, token, 'listGrants');

describe('unknown tokens', () => {
  it('are refused with 401, and from the fourth in a minute on with 429 and Retry-After', async () => {
    for (const token of ['one', 'two', 'three']) {
      expect((await send(token)).status).toBe(401);
    }
    clock.advance(20_000);
    const limited = await send('four');
    expect(errorIn(limited)).toMatchObject({ status: 429, code: 'rate-limited' });
    expect(limited.headers['retry-after']).toBe('40');
    clock.advance(40_000);
    expect((await send('five')).status).toBe(401);
  });

  it('are counted over all addresses of the host, without affecting valid tokens', async () => {
    const { host } = service;
    for (const token of ['one', 'two', 'three']) await send(token, host.exposedUrl);
    for (const url of [host.baseUrl, host.exposedUrl]) {
      expect((await send('four', url)).status).toBe(429);
      expect((await send(host.token, url)).status).toBe(200);
      expect((await send(undefined, url)).status).toBe(401);
    }
  });

  it('are counted by address, for a limited number of addresses', () => {
    const tokens = new WrongTokenLimiter(clock, 1);
    const limited = (address: string) => tokens.add(address) !== undefined;
    expect([limited('10.0.0.1'), limited('10.0.0.2'), limited('10.0.0.1')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(limited('::ffff:10.0.0.2')).toBe(true);
    for (let index = 0; index < 5000; index += 1) tokens.add(`10.1.${index >> 8}.${index & 255}`);
    expect(limited('10.0.0.1')).toBe(false);
  });

  it('from IPv6 addresses are counted by 64-bit network', () => {
    const tokens = new WrongTokenLimiter(clock, 1);
    const limited = (address: string) => tokens.add(address) !== undefined;
    expect([limited('2001:db8:1:2::1'), limited('2001:db8:1:2:3:4:5:6')]).toEqual([false, true]);
    expect(limited('2001:db8:1:3::1')).toBe(false);
    expect([limited('fe80::1%eth0'), limited('fe80::2')]).toEqual([false, true]);
    expect([limited('::1'), limited('::2')]).toEqual([false, true]);
  });
});

describe('log streams of a wallet', () => {
  it('are counted over all addresses of the host until they close', async () => {
    const { host } = service;
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const open = (baseUrl = ''): WebSocket => {
      const url = new URL(logStreamPath, baseUrl.replace('http', 'ws'));
      url.searchParams.set('deploymentId', id);
      return new WebSocket(url, { headers: { authorization: `Bearer ${owner.token}` } });
    };
    const status = async (socket: WebSocket): Promise<number | undefined> => {
      const [, response] = (await once(socket, 'unexpected-response')) as [
        unknown,
        IncomingMessage,
      ];
      response.destroy();
      return response.statusCode;
    };
    const first = open(host.baseUrl);
    await once(first, 'open');
    await once(open(host.exposedUrl), 'open');
    expect(await status(open(host.baseUrl))).toBe(429);
    expect(await status(open(host.exposedUrl))).toBe(429);
    first.terminate();
    await waitFor(async () => {
      await once(open(host.exposedUrl), 'open');
    });
  });
});
