import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { endpointText } from '../../source/contract/deployments.ts';
import { deploy } from '../host/support/bodies.ts';
import { hostOnBed } from './bed-host.ts';
import { answers, close, inZones, isMissing, nodes, waitForBed, webSdl } from './bed.ts';

/** Serves a file that is beside it. */
const fileServer = `
  const { createReadStream } = require('node:fs');
  require('node:http')
    .createServer((_, answer) => createReadStream('large.bin').pipe(answer))
    .listen(process.env.PORT);
`;

/** Answers with its number and the addresses of its name. */
const naming = `
  const { promises: { resolve4 } } = require('node:dns');
  require('node:http').createServer(async (_, answer) => {
    const addresses = await resolve4('web').catch(() => []);
    answer.end(JSON.stringify({ number: process.env.HOSTDECK_INSTANCE, peers: addresses.length }));
  }).listen(process.env.PORT);
`;

/** Returns a definition of `web` with these zones and counts, each a placement. */
function sdlOf(zones: Readonly<Record<string, number>>): string {
  return inZones(webSdl(1, { args: ['-e', naming] }), zones);
}

describe.skipIf(isMissing)('instances on the nodes of a swarm', () => {
  const bed = hostOnBed();

  test('have the same bytes of a large file on every node', async () => {
    const { owner } = bed;
    const { id } = await deploy(owner, webSdl(4));
    const large = randomBytes(10_000_000);
    const digest = createHash('sha256').update(large).digest('hex');
    await bed.putAndRestart(id, { 'server.js': fileServer, 'large.bin': large });
    const endpoints = await waitForBed(async () => {
      const { state, endpoints: found } = await bed.readWeb(id);
      expect(state).toBe('active');
      const digests = await Promise.all(
        found.map(async (endpoint) => {
          const { body } = await request(`http://${endpointText(endpoint)}`);
          return createHash('sha256')
            .update(await body.bytes())
            .digest('hex');
        }),
      );
      expect(digests).toEqual([digest, digest, digest, digest]);
      return found;
    });
    expect(new Set(endpoints.map(({ address }) => address))).toEqual(new Set(nodes));
    await close(owner, id);
  });

  test('run where the attributes of their placement are, and share a name and numbers', async () => {
    const { owner } = bed;
    const { id } = await deploy(owner, sdlOf({ z1: 1, z2: 2 }));
    await waitForBed(async () => {
      const { endpoints } = await bed.readWeb(id);
      const told = (await answers(endpoints)).map((text) => JSON.parse(text));
      expect(told).toEqual(['1', '2', '3'].map((number) => ({ number, peers: 3 })));
      const [first, second] = nodes;
      expect(endpoints.map(({ address }) => address)).toEqual([first, second, second]);
    });
    await close(owner, id);
  });

  test('are refused when no node has the attributes, in a sentence', async () => {
    const json = { sdl: sdlOf({ z1: 1, z9: 1 }) };
    const { status, body } = await bed.owner.call('createDeployment', { json });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('wants a node with zone=z9, and the swarm has none.');
  });
});
