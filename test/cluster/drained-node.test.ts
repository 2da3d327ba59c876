import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endpointText } from '../../source/contract/deployments.ts';
import { deploy, readDeployment } from '../host/support/bodies.ts';
import { type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import {
  answers,
  changeNode,
  close,
  isMissing,
  nodes,
  onBed,
  restoreBed,
  waitForBed,
  webSdl,
} from './bed.ts';

const answering = `
  process.on('SIGTERM', () => process.exit());
  require('node:http').createServer((_, answer) => answer.end('yes')).listen(process.env.PORT);
`;

describe.skipIf(isMissing)('a node of a swarm that is drained', () => {
  let service: TemporaryHost;
  beforeAll(async () => {
    service = await temporaryHost(onBed);
  });
  afterEach(restoreBed);
  afterAll(async () => {
    await service.remove();
  });

  test('leaves no request without an answer', async () => {
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, webSdl(2, { args: ['-e', answering] }));
    const readEndpoints = async () => (await readDeployment(owner, id)).services[0]?.endpoints;

    /** Asks one endpoint after another, as they are then told. Resolves with none, or why each failed. */
    const findFailures = async (): Promise<readonly string[]> => {
      const failures: string[] = [];
      for (const endpoint of (await readEndpoints()) ?? []) {
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
      const endpoints = (await readEndpoints()) ?? [];
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
      const endpoints = (await readEndpoints()) ?? [];
      expect(endpoints).toHaveLength(2);
      expect(new Set(endpoints.map(({ address }) => address))).toEqual(new Set([nodes[0]]));
    });
    await close(owner, id);
  });
});
