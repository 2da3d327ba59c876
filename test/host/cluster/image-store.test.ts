import { describe, expect, test } from 'vitest';
import { ImageStore } from '../../../source/host/cluster/image-store.ts';
import { fakeEngine } from '../engine/fake-engine.ts';

const digest = `sha256:${'a'.repeat(64)}`;

/** An image store whose engine answers for images by their paths; others are not there. */
async function storeOn(answers: Readonly<Record<string, readonly [number, object]>>) {
  const engine = await fakeEngine(({ request, response }) => {
    const [, path = ''] = /distribution\/(.*)\/json/.exec(request.url ?? '') ?? [];
    const [status, body] = answers[path] ?? [404, { message: 'manifest unknown' }];
    response?.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  return new ImageStore(await engine.connect(), {}, 'registry.example/hd');
}

const down = [500, { message: 'dial tcp: connect: connection refused' }] as const;
const there = [200, { Descriptor: { digest } }] as const;

describe('what keeps images from being put together', () => {
  test('is nothing when registries have the images, and answer for files', async () => {
    const images = await storeOn({ 'nginx%3Alatest': there });
    expect(await images.findObstacle(['nginx', 'nginx:latest'], true)).toBeUndefined();
    expect(await images.findObstacle([`nginx@${digest}`], false)).toBeUndefined();
  });

  test('is an image that its registry does not have', async () => {
    const images = await storeOn({});
    expect(await images.findObstacle(['nginx:9'], false)).toBe(
      "can't find image nginx:9: manifest unknown",
    );
  });

  test('is a registry that does not answer, only where files need it', async () => {
    const images = await storeOn({ 'registry.example/hd/files%3Aprobe': down });
    expect(await images.findObstacle([], false)).toBeUndefined();
    expect(await images.findObstacle([], true)).toBe(
      'the registry registry.example/hd does not answer the engine: ' +
        'dial tcp: connect: connection refused',
    );
  });
});
