import { afterAll, beforeAll, describe, expect } from 'vitest';
import { idle } from '../support/temporary-host.ts';
import { testAttacks } from './attacking.ts';
import { testClosing } from './closing.ts';
import type { Configuration } from './configurations.ts';
import { HostileHost } from './hostile-host.ts';
import { deployService, linesWith } from './hostile-services.ts';
import { testInfluence } from './influence.ts';
import { makePrograms } from './programs-folder.ts';
import type { RunningHost } from './running-host.ts';
import { testTrees } from './trees.ts';

/**
 * Describes what hostile services try on a host that runs as this configuration says. Where that
 * can't be made, it says so and skips them.
 */
export function describeHostileServices(configuration: Configuration): void {
  const { name, missing } = configuration;
  if (missing !== undefined) {
    process.stderr.write(`Hostile services on a host ${name} are SKIPPED: ${missing}.\n`);
  }
  describe.skipIf(missing !== undefined)(`on a host ${name}`, () => {
    let started: RunningHost | undefined;
    beforeAll(async () => {
      const programs = await makePrograms();
      started = { configuration, programs, host: await HostileHost.start(configuration, programs) };
      // Without isolation a hostile service would do to this machine what it tries.
      const id = await deployService(started.host.owner, idle);
      const [isolation] = await linesWith(started.host.owner, id, 'started');
      expect(isolation).toMatch(configuration.isolation);
    });
    afterAll(async () => {
      await started?.host.remove();
      started?.programs[Symbol.dispose]();
    });
    const running = () => {
      if (started === undefined) throw new Error('No host runs yet.');
      return started;
    };
    describe('a hostile service', () => testAttacks(running));
    describe('a service that wants to influence its host', () => testInfluence(running));
    describe('a service with hostile files', () => testTrees(running));
    // The last of them kills the host.
    describe('a service that leaves processes', () => testClosing(running));
  });
}
