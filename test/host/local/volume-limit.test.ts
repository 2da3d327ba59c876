import { expect, it } from 'vitest';
import {
  VolumeLimit,
  type VolumeLimitParts,
} from '../../../source/host/local/deployment-storage.ts';

function limitOf(
  kind: 'persistent' | 'temporary',
  used: { bytes: number | undefined },
  more: Partial<VolumeLimitParts> = {},
) {
  const volume = { name: 'data', kind };
  const measure = () => Promise.resolve(used.bytes);
  return new VolumeLimit({ volume, bytes: 100, measure, ...more });
}

it('a volume is exceeded above its size, and not while its use is unknown', async () => {
  const used: { bytes: number | undefined } = { bytes: 100 };
  const limit = limitOf('persistent', used);
  expect(await limit.findExcess()).toBeUndefined();
  used.bytes = undefined;
  expect(await limit.findExcess()).toBeUndefined();
  used.bytes = 101;
  expect(await limit.findExcess()).toContain('uses more than the 100 bytes of its volume data');
});

it('an exceeded volume may keep what it has after a restart, and only as long as it has that', async () => {
  const used = { bytes: 150 };
  const limit = limitOf('persistent', used);
  expect(await limit.findExcess()).toContain('if the volume grows');
  await limit.acceptUse();
  expect(await limit.findExcess()).toBeUndefined();
  used.bytes = 151;
  expect(await limit.findExcess()).toContain('if the volume grows');
  used.bytes = 120;
  await limit.acceptUse();
  used.bytes = 121;
  expect(await limit.findExcess()).toBeDefined();
  used.bytes = 20;
  await limit.acceptUse();
  used.bytes = 101;
  expect(await limit.findExcess()).toBeDefined();
});

it('a volume that nobody exceeded keeps its size over a restart', async () => {
  const used = { bytes: 90 };
  const limit = limitOf('persistent', used);
  await limit.acceptUse();
  used.bytes = 101;
  expect(await limit.findExcess()).toBeDefined();
});

it('a volume that an earlier host found exceeded may keep what it has', async () => {
  const used: { bytes: number | undefined } = { bytes: undefined };
  const limit = limitOf('persistent', used, { wasExceeded: true });
  expect(await limit.findExcess()).toBeUndefined();
  used.bytes = 150;
  expect(await limit.findExcess()).toBeUndefined();
  used.bytes = 151;
  expect(await limit.findExcess()).toContain('if the volume grows');
});

it('the next host learns that a volume is exceeded, until it is within its size again', async () => {
  const used = { bytes: 90 };
  const told: boolean[] = [];
  const limit = limitOf('persistent', used, { onExceeded: (is) => told.push(is) });
  await limit.findExcess();
  expect(told).toEqual([]);
  used.bytes = 150;
  await limit.findExcess();
  await limit.acceptUse();
  expect(told).toEqual([true]);
  used.bytes = 100;
  await limit.acceptUse();
  expect(told).toEqual([true, false]);
});

it('a temporary volume is empty after a restart', async () => {
  expect(await limitOf('temporary', { bytes: 101 }).findExcess()).toContain(
    'a restart empties the volume',
  );
});
