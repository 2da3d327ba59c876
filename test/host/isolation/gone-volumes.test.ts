import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sortGoneVolumes } from '../../../source/host/isolation/open-isolation.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const day = 24 * 60 * 60 * 1000;

const now = Date.UTC(2030, 0, 1);

/** A folder of volumes of the hosts `aa`, with a file, and `bb`, without one. */
function volumesFolder(): string {
  const folder = temporaryFolder();
  for (const host of ['aa', 'bb']) mkdirSync(`${folder}/${host}/d/web/1/data`, { recursive: true });
  writeFileSync(`${folder}/aa/d/web/1/data/file`, 'content');
  return folder;
}

it('volumes of a gone host are kept for a week, unless they are empty', async () => {
  const folder = volumesFolder();
  await sortGoneVolumes(folder, { identity: 'cc', gone: ['aa', 'bb', 'dd'], now });
  expect(readdirSync(folder)).toEqual([`aa.gone.${now}`]);
  await sortGoneVolumes(folder, { identity: 'cc', gone: [], now: now + 7 * day });
  expect(readdirSync(folder)).toEqual([`aa.gone.${now}`]);
  await sortGoneVolumes(folder, { identity: 'cc', gone: [], now: now + 7 * day + 1 });
  expect(readdirSync(folder)).toEqual([]);
});

it('volumes of a host that has returned are its own again, however late', async () => {
  const folder = volumesFolder();
  await sortGoneVolumes(folder, { identity: 'cc', gone: ['aa'], now });
  await sortGoneVolumes(folder, { identity: 'aa', gone: [], now: now + 30 * day });
  expect(readdirSync(folder)).toEqual(['aa', 'bb']);
  expect(readFileSync(`${folder}/aa/d/web/1/data/file`, 'utf8')).toBe('content');
});

it('new volumes of a host are not replaced by those that were set aside', async () => {
  const folder = volumesFolder();
  await sortGoneVolumes(folder, { identity: 'cc', gone: ['aa'], now });
  mkdirSync(`${folder}/aa/e`, { recursive: true });
  await sortGoneVolumes(folder, { identity: 'aa', gone: [], now });
  expect(readdirSync(folder)).toEqual(['aa', `aa.gone.${now}`, 'bb']);
});

it('other entries stay', async () => {
  const folder = volumesFolder();
  mkdirSync(`${folder}/aa.gone.later`);
  await sortGoneVolumes(folder, { identity: 'cc', gone: [], now });
  expect(readdirSync(folder)).toEqual(['aa', 'aa.gone.later', 'bb']);
});
