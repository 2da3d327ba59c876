import { expect, it } from 'vitest';
import type { VolumeDefinition } from '../../../source/contract/sdl/definition.ts';
import { ownStorage } from '../../../source/host/volumes/own-storage.ts';

const volume = (size?: number): VolumeDefinition => ({
  name: `v${size}`,
  mount: `/v${size}`,
  readOnly: false,
  kind: 'persistent',
  size,
});

it.each([
  { storage: undefined, volumes: [volume(5)], own: undefined },
  { storage: 10, volumes: undefined, own: 10 },
  { storage: 10, volumes: [volume(5), volume(2)], own: 3 },
  { storage: 10, volumes: [volume(undefined)], own: 10 },
  { storage: 7, volumes: [volume(5), volume(2)], own: 7 },
])('storage of $storage leaves $own outside of the volumes', ({ storage, volumes, own }) => {
  expect(ownStorage(storage, volumes)).toBe(own);
});
