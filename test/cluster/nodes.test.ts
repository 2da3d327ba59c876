import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endpointText } from '../../source/contract/deployments.ts';
import { deploy, readDeployment, readLogs } from '../host/support/bodies.ts';
import { type Caller, type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';
import { changeNode, close, isMissing, nodes, onBed, restoreBed, webSdl } from './bed.ts';

const answering = `
  process.on('SIGTERM', () => process.exit());
  setInterval(() => console.log('tick'), 100);
  require('node:http').createServer((_, answer) => answer.end('yes')).listen(process.env.PORT);
`;

const [, worker] = nodes;

describe.skipIf(isMissing)('a node of a swarm', () => {
  let service: TemporaryHost;
  let owner: Caller;
  let id: string;
  beforeAll(async () => {
    service = await temporaryHost(onBed);
    owner = service.as('0xowner');
  });
  beforeEach(async () => {
    ({ id } = await deploy(owner, webSdl(2, { args: ['-e', answering] })));
    await waitFor(async () => {
      const { endpoints = [] } = await readWeb();
      expect(new Set(endpoints.map(({ address }) => address))).toEqual(new Set(nodes));
    });
  });
  afterEach(async () => {
    await restoreBed();
    await close(owner, id);
  });
  afterAll(async () => {
    await service.remove();
  });

  const readWeb = async () => {
    const [web] = (await readDeployment(owner, id)).services;
    if (web === undefined) throw new Error('the deployment has no service');
    return web;
  };

  /** Asks one endpoint after another, as they are then told, for an answer. */
  const isAnswered = async (): Promise<boolean> => {
    for (const endpoint of (await readWeb()).endpoints ?? []) {
      try {
        const signal = AbortSignal.timeout(5000);
        const response = await fetch(`http://${endpointText(endpoint)}`, { signal });
        if ((await response.text()) === 'yes') return true;
      } catch {
        // The next endpoint is tried.
      }
    }
    return false;
  };

  test('that is lost is named, and its instances start on another one', async () => {
    const killed = Date.now();
    await changeNode('kill', 2);
    await waitFor(async () => {
      const { state, running, endpoints = [], instanceStates = [] } = await readWeb();
      expect({ state, running }).toEqual({ state: 'active', running: 2 });
      expect(endpoints.map(({ address }) => address)).not.toContain(worker);
      // The engine replaces it within two seconds, in which nobody may have asked for its state.
      const reasons = instanceStates.flatMap(({ reason }) => reason ?? []);
      expect(reasons).toEqual([`replaces the one lost with node n2 (${worker})`]);
    });
    const replaced = Date.now() - killed;
    const [lost, ...others] = await readLogs(owner, id, { search: 'is lost' });
    expect(others).toEqual([]);
    expect(lost?.logLine).toMatch(/of task \w{12}, lines after \d{4}-.*Z were not read$/);
    const shown = Date.parse(String(lost?.timestamp)) - killed;
    process.stdout.write(`node lost: shown ${shown} ms, replaced ${replaced} ms\n`);
  });

  test('that is drained leaves no request without an answer', async () => {
    let answers = 0;
    let drained: Promise<void> | undefined;
    for (let asked = 0; asked < 1000; asked += 1) {
      if (await isAnswered()) answers += 1;
      if (asked === 100) drained = changeNode('drain', 2);
    }
    await drained;
    expect(answers).toBe(1000);
    await waitFor(async () => {
      const { running, endpoints = [] } = await readWeb();
      expect(running).toBe(2);
      expect(new Set(endpoints.map(({ address }) => address))).toEqual(new Set([nodes[0]]));
    });
  });
});
