import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isGone, markPattern, ownMark } from '../../source/disk/console-mark.ts';
import { environmentOfMac } from '../support/faked-mac.ts';
import { killAtOnce, startFixture } from '../support/killed-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a process has one mark, and is not gone', async () => {
  const mark = await ownMark();
  expect(mark).toMatch(markPattern);
  expect(await ownMark()).toBe(mark);
  expect(await isGone(mark)).toBe(false);
});

test('a process that was killed is gone, whenever it was started', async () => {
  const state = temporaryFolder();
  const child = await startFixture('owe-restart.ts', state);
  const marks = [`${child.pid}-unknown`, `${child.pid}-0123456789ab`];
  expect(await Promise.all(marks.map(isGone))).toEqual([false, true]);
  await killAtOnce(child);
  expect(await Promise.all(marks.map(isGone))).toEqual([true, true]);
});

test('an earlier process with the same id is gone', async () => {
  expect(await isGone(`${process.pid}-0123456789ab`)).toBe(true);
});

test('in doubt a process is taken for running', async () => {
  expect(await isGone(`${process.pid}-unknown`)).toBe(false);
  expect(await isGone('what is this')).toBe(false);
  expect(await isGone('0-unknown')).toBe(false);
});

test('without /proc the start of a process comes from ps', () => {
  const module = new URL('../../source/disk/console-mark.ts', import.meta.url).href;
  const code = `
    import { isGone, ownMark } from '${module}';
    const mark = await ownMark();
    const earlier = mark.replace(/-.*/, '-0123456789ab');
    console.log(JSON.stringify([process.platform, mark, await isGone(mark), await isGone(earlier)]));
  `;
  const options = { env: environmentOfMac(), encoding: 'utf8' } as const;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', code], options);
  const [platform, mark, ...gone] = JSON.parse(out) as readonly unknown[];
  expect([platform, ...gone]).toEqual(['darwin', false, true]);
  expect(mark).toMatch(/^\d+-[0-9a-f]{12}$/);
});
