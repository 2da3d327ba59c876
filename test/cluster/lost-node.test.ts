import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploy, readLogs } from '../host/support/bodies.ts';
import { hostOnBed, programAnswering } from './bed-host.ts';
import {
  answers,
  changeNode,
  close,
  isMissing,
  nodes,
  restoreBed,
  volumesOf,
  waitForBed,
  webSdl,
} from './bed.ts';

const ticking = `
  setInterval(() => console.log('tick'), 100);
  ${programAnswering('yes')}
`;

/** Fills its volume once, and answers with the digest of what is in it. */
const keeping = `
  const { createHash, randomBytes } = require('node:crypto');
  const fs = require('node:fs');
  if (!fs.existsSync('/data/file')) {
    fs.writeFileSync('/data/file', randomBytes(1e6));
    const handle = fs.openSync('/data', 'r');
    fs.fsyncSync(handle);
    console.log('filled the volume');
  }
  require('node:http').createServer((_, answer) => {
    answer.end(createHash('sha256').update(fs.readFileSync('/data/file')).digest('hex'));
  }).listen(process.env.PORT);
`;

/** Returns a definition whose one instance has a volume on the worker. */
function keepingSdl(): string {
  const definition = JSON.parse(
    webSdl(1, { args: ['-e', keeping], params: { storage: { data: { mount: '/data' } } } }),
  );
  const { compute, placement } = definition.profiles;
  placement.here.attributes = { zone: 'z2' };
  compute.web.resources.storage = [
    { size: '64Mi' },
    { name: 'data', size: '64Mi', attributes: { persistent: true, class: 'beta3' } },
  ];
  return JSON.stringify(definition);
}

const [, worker] = nodes;

describe.skipIf(isMissing)('a node of a swarm that is lost', () => {
  const bed = hostOnBed({ keepClosedMs: 0 });
  /** Deployments with an instance on each node, and with a volume on the lost one. */
  let ids: { readonly spread: string; readonly keeping: string };
  /** Digest of what the volume had before. */
  let before: string | undefined;
  let killedAt: number;

  const read = async (id: string) => {
    const { endpoints, ...status } = await bed.readWeb(id);
    return { ...status, addresses: endpoints.map(({ address }) => address) };
  };
  const readDigest = () =>
    waitForBed(async () => {
      const { state, web } = await read(ids.keeping);
      expect(state).toBe('active');
      const [answer] = await answers(web.endpoints);
      expect(answer).toMatch(/^[0-9a-f]{64}$/);
      return answer;
    });

  beforeAll(async () => {
    const { owner } = bed;
    const spread = await deploy(owner, webSdl(2, { args: ['-e', ticking] }));
    const kept = await deploy(owner, keepingSdl());
    ids = { spread: spread.id, keeping: kept.id };
    await waitForBed(async () => {
      expect(new Set((await read(ids.spread)).addresses)).toEqual(new Set(nodes));
      const ticks = await readLogs(owner, ids.spread, { search: 'tick' });
      expect(new Set(ticks.map(({ instance }) => instance))).toEqual(new Set([1, 2]));
    });
    before = await readDigest();
    killedAt = Date.now();
    await changeNode('kill', 2);
  });
  afterAll(async () => {
    await restoreBed();
    await close(bed.owner, ids.spread);
  });

  test('is named, and its instances start on another one', async () => {
    await waitForBed(async () => {
      const { state, web, addresses } = await read(ids.spread);
      expect({ state, running: web.running }).toEqual({ state: 'active', running: 2 });
      expect(addresses).not.toContain(worker);
      // The engine replaces it within two seconds, in which nobody may have asked for its state.
      const reasons = web.instanceStates?.flatMap(({ reason }) => reason ?? []);
      expect(reasons).toEqual([`replaces the one lost with node n2 (${worker})`]);
    });
    const replaced = Date.now() - killedAt;
    const [lost, ...others] = await readLogs(bed.owner, ids.spread, { search: 'is lost' });
    expect(others).toEqual([]);
    expect(lost?.logLine).toMatch(/of task \w{12}, lines after \d{4}-.*Z were not read$/);
    const shown = Date.parse(String(lost?.timestamp)) - killedAt;
    process.stdout.write(`node lost: shown ${shown} ms, replaced ${replaced} ms\n`);
  });

  test('keeps its volumes: no other node starts an empty one', async () => {
    await waitForBed(async () => {
      expect((await read(ids.keeping)).web).toMatchObject({
        state: 'node lost',
        running: 0,
        endpoints: [],
        instanceStates: [{ state: 'node lost' }],
      });
    });
    await restoreBed();
    expect(await readDigest()).toBe(before);
    const filled = (await readLogs(bed.owner, ids.keeping)).filter(
      ({ logLine }) => logLine === 'filled the volume',
    );
    expect(filled).toHaveLength(1);

    expect(await volumesOf(ids.keeping)).toHaveLength(1);
    await close(bed.owner, ids.keeping);
    await waitForBed(async () => {
      expect(await volumesOf(ids.keeping)).toEqual([]);
    });
  });
});
