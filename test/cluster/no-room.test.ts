import { totalmem } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../source/host/clock.ts';
import { deploy, readDeployment } from '../host/support/bodies.ts';
import { type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import {
  answers,
  close,
  inZones,
  isMissing,
  onBed,
  servicesOf,
  waitForBed,
  webSdl,
} from './bed.ts';

const serving = `
  process.on('SIGTERM', () => process.exit());
  require('node:http').createServer((_, answer) => answer.end('yes')).listen(process.env.PORT);
`;

/** Returns a definition whose one instance takes more than half of a node. */
function largeSdl(): string {
  const definition = JSON.parse(inZones(webSdl(1, { args: ['-e', serving] }), { z2: 1 }));
  const size = String(Math.floor(totalmem() * 0.6));
  definition.profiles.compute.web.resources.memory = { size };
  return JSON.stringify(definition);
}

describe.skipIf(isMissing)('a restart on a swarm without room for its trial', () => {
  /** Time that the host's clock is ahead. */
  let ahead = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
  let service: TemporaryHost;
  beforeAll(async () => {
    service = await temporaryHost({ ...onBed, clock });
  });
  afterAll(async () => {
    await service.remove();
  });

  test('is undone after two minutes with the reason, while the version before answers', async () => {
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, largeSdl());
    const read = async () => {
      const { rolledBack, state, services } = await readDeployment(owner, id);
      expect(state).toBe('active');
      expect(await answers(services[0]?.endpoints)).toEqual(['yes']);
      return rolledBack?.reason;
    };
    await waitForBed(read);
    await owner.call('restartDeployment', { id });
    await waitForBed(async () => {
      expect(await servicesOf(id)).toHaveLength(2);
    });
    ahead += 120_000;
    await waitForBed(async () => {
      expect(await read()).toMatch(
        /^web got no node in \d+ s for the one more instance .*: no suitable node/,
      );
    });
    await close(owner, id);
  });
});
