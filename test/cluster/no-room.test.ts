import { totalmem } from 'node:os';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../source/host/clock.ts';
import { deploy } from '../host/support/bodies.ts';
import { hostOnBed, programAnswering } from './bed-host.ts';
import { answers, close, inZones, isMissing, servicesOf, waitForBed, webSdl } from './bed.ts';

/** Returns a definition whose one instance takes more than half of a node. */
function largeSdl(): string {
  const definition = JSON.parse(
    inZones(webSdl(1, { args: ['-e', programAnswering('yes')] }), { z2: 1 }),
  );
  const size = String(Math.floor(totalmem() * 0.6));
  definition.profiles.compute.web.resources.memory = { size };
  return JSON.stringify(definition);
}

describe.skipIf(isMissing)('a restart on a swarm without room for its trial', () => {
  /** Time that the host's clock is ahead. */
  let ahead = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
  const bed = hostOnBed({ clock });

  test('is undone after two minutes with the reason, while the version before answers', async () => {
    const { owner } = bed;
    const { id } = await deploy(owner, largeSdl());
    const read = async () => {
      const { endpoints, rolledBack, state } = await bed.readWeb(id);
      expect(state).toBe('active');
      expect(await answers(endpoints)).toEqual(['yes']);
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
