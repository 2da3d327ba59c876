import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deploy, readDeployment, readLogs } from '../host/support/bodies.ts';
import { type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  answers,
  changeNode,
  close,
  isMissing,
  onBed,
  restoreBed,
  volumesOf,
  webSdl,
} from './bed.ts';

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

describe.skipIf(isMissing)('a volume on a node of a swarm', () => {
  let service: TemporaryHost;
  beforeAll(async () => {
    service = await temporaryHost({ ...onBed, keepClosedMs: 0 });
  });
  afterEach(restoreBed);
  afterAll(async () => {
    await service.remove();
  });

  test('stays on its node: no other node starts an empty one when it is lost', async () => {
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, keepingSdl());
    const read = async () => {
      const { state, services } = await readDeployment(owner, id);
      return { state, web: services[0] };
    };
    const digest = () =>
      waitFor(async () => {
        const { state, web } = await read();
        expect(state).toBe('active');
        const [answer] = await answers(web?.endpoints);
        expect(answer).toMatch(/^[0-9a-f]{64}$/);
        return answer;
      });
    const before = await digest();
    await changeNode('kill', 2);
    await waitFor(async () => {
      expect((await read()).web).toMatchObject({
        state: 'node lost',
        running: 0,
        endpoints: [],
        instanceStates: [{ state: 'node lost' }],
      });
    });
    // The engine places what it can place within a second or two.
    await waitFor(async () => {
      expect((await read()).state).toBe('node lost');
    });
    await changeNode('start', 2);
    expect(await digest()).toBe(before);
    const filled = (await readLogs(owner, id)).filter(
      ({ logLine }) => logLine === 'filled the volume',
    );
    expect(filled).toHaveLength(1);

    expect(await volumesOf(id)).toHaveLength(1);
    await close(owner, id);
    await waitFor(async () => {
      expect(await volumesOf(id)).toEqual([]);
    });
  });
});
