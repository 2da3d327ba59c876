import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const module = new URL('../../source/config/time-zone.ts', import.meta.url).href;
const winter = Date.UTC(2026, 0, 15, 12);
const summer = Date.UTC(2026, 6, 15, 12);

interface Reading {
  readonly zone: string;
  /** Minutes ahead of UTC. */
  readonly winter: number;
  readonly summer: number;
  readonly notice: string | null;
}

/** Returns the times of a process that starts with each of these values of TZ. */
function readingsOf(values: readonly string[]): readonly Reading[] {
  const script = `
    const { applyTimeZone, timeZoneProblem } = await import(${JSON.stringify(module)});
    const ahead = (at) => -new Date(at).getTimezoneOffset() || 0;
    const readings = JSON.parse(process.argv[1]).map((value) => {
      process.env.TZ = value;
      applyTimeZone(process.env);
      const zone = process.env.TZ;
      const notice = timeZoneProblem(process.env)?.sentence ?? null;
      return { zone, winter: ahead(${winter}), summer: ahead(${summer}), notice };
    });
    console.log(JSON.stringify(readings));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify(values)],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as readonly Reading[];
}

/** Values, and the minutes that times are ahead of UTC in winter and in summer. */
const known: readonly (readonly [string, number, number])[] = [
  ['Europe/Berlin', 60, 120],
  [':Europe/Berlin', 60, 120],
  ['/usr/share/zoneinfo/Europe/Berlin', 60, 120],
  [':/usr/share/zoneinfo/Europe/Berlin', 60, 120],
  ['/usr/share/zoneinfo/posix/Europe/Berlin', 60, 120],
  ['posix/Europe/Berlin', 60, 120],
  ['europe/berlin', 60, 120],
  ['CET-1CEST,M3.5.0,M10.5.0/3', 60, 120],
  ['CET-1CEST-2,M3.5.0/2,M10.5.0/3:00:00', 60, 120],
  ['<+03>-3', 180, 180],
  ['<-03>3', -180, -180],
  ['<+0545>-5:45', 345, 345],
  ['JST-9', 540, 540],
  ['UTC0', 0, 0],
  ['EST5EDT', -300, -240],
  ['EST5EDT,M3.2.0,M11.1.0', -300, -240],
  ['AEST-10AEDT,M10.1.0,M4.1.0/3', 660, 600],
  ['GMT+2', -120, -120],
  ['', 0, 0],
];

describe('TZ', () => {
  it('is read in all forms of POSIX that mean a known zone', () => {
    const readings = readingsOf(known.map(([value]) => value));
    const expected = known.map(([, inWinter, inSummer]) => [inWinter, inSummer, null]);
    expect(readings.map((each) => [each.winter, each.summer, each.notice])).toEqual(expected);
  });

  it('may name a link to a zone, or a copy of one', () => {
    const folder = temporaryFolder();
    const [link, copy] = [path.join(folder, 'link'), path.join(folder, 'copy')];
    symlinkSync('/usr/share/zoneinfo/Asia/Tokyo', link);
    copyFileSync('/usr/share/zoneinfo/Europe/Berlin', copy);
    expect(readingsOf([link, `:${copy}`])).toMatchObject([
      { zone: 'Asia/Tokyo', notice: null },
      { winter: 60, summer: 120, notice: null },
    ]);
  });

  it('is said to be none where it names no zone, with the zone that is used', () => {
    const values = ['Nowhere', 'CET-1CEST', '+02:00', '/nowhere', 'localtime', '<CT>-1'];
    const notices = readingsOf(values).map(({ zone, notice }) => [zone, notice]);
    expect(notices.map(([zone]) => zone)).toEqual(values);
    expect(
      notices.map(([, notice]) => notice?.replace(/^TZ is "?(.*?)"?, which/, '$1: which')),
    ).toEqual(values.map((value) => `${value}: which isn't a known time zone. Times are UTC.`));
  });
});
