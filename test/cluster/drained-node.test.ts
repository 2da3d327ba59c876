import { afterEach, describe, expect, test } from 'vitest';
import { endpointText } from '../../source/contract/deployments.ts';
import { deploy } from '../host/support/bodies.ts';
import { hostOnBed, programAnswering } from './bed-host.ts';
import {
  answers,
  changeNode,
  close,
  isMissing,
  nodes,
  restoreBed,
  waitForBed,
  webSdl,
} from './bed.ts';

describe.skipIf(isMissing)('a node of a swarm that is drained', () => {
  const bed = hostOnBed();
  afterEach(restoreBed);

  test('leaves no request without an answer', async () => {
    const { owner } = bed;
    const { id } = await deploy(owner, webSdl(2, { args: ['-e', programAnswering('yes')] }));
    const readEndpoints = async () => (await bed.readWeb(id)).endpoints;

    /** Asks one endpoint after another, as they are then told. Resolves with none, or why each failed. */
    const findFailures = async (): Promise<readonly string[]> => {
      const failures: string[] = [];
      for (const endpoint of await readEndpoints()) {
        try {
          const signal = AbortSignal.timeout(5000);
          const response = await fetch(`http://${endpointText(endpoint)}`, { signal });
          if ((await response.text()) === 'yes') return [];
        } catch (error) {
          failures.push(`${endpointText(endpoint)}: ${String((error as Error).cause ?? error)}`);
        }
      }
      return ['no endpoint answered', ...failures];
    };

    await waitForBed(async () => {
      const endpoints = await readEndpoints();
      expect(new Set(endpoints.map(({ address }) => address))).toEqual(new Set(nodes));
      // A program listens some time after its container has started.
      expect(await answers(endpoints)).toEqual(['yes', 'yes']);
    });
    const unanswered: string[] = [];
    let drained: Promise<void> | undefined;
    for (let asked = 0; asked < 1000; asked += 1) {
      const failures = await findFailures();
      if (failures.length > 0) unanswered.push(`${asked}: ${failures.join(', ')}`);
      if (asked === 100) drained = changeNode('drain', 2);
    }
    await drained;
    expect(unanswered).toEqual([]);
    await waitForBed(async () => {
      const endpoints = await readEndpoints();
      expect(endpoints).toHaveLength(2);
      expect(new Set(endpoints.map(({ address }) => address))).toEqual(new Set([nodes[0]]));
    });
    await close(owner, id);
  });
});
