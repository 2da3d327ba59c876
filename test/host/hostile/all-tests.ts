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
import { testVolumes } from './volumes.ts';

/**
 * Declares the tests of hostile services on a host with this configuration. Skips them with a note
 * when the configuration isn't possible on this machine.
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
      // Without isolation, a hostile service would damage this machine.
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
    describe('a service that tries to influence its host', () => testInfluence(running));
    describe('a service with hostile files', () => testTrees(running));
    describe('a service with hostile volumes', () => testVolumes(running));
    // Last, as one of these tests kills the host.
    describe('a service that leaves processes', () => testClosing(running));
  });
}
