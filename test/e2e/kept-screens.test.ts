import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sizes } from './screens/fixture.ts';
import { readSpeech, writeSpeech } from './screens/kept-speech.ts';
import { type KeptScreens, readKept, writeKept } from './screens/kept-screens.ts';
import { type RoleOf, roleReader } from './screens/roles.ts';
import { black, ScreenSession, sizeOf, white } from './screens/session.ts';
import { takeSpoken } from './screens/spoken-walk.ts';
import { started, stepsOf, type Walk, walks } from './screens/walks.ts';

/**
 * Walks through the panes, boxes and views by keys: each screen at four sizes is as it was recorded, and on
 * a light ground too. With `HOSTDECK_UPDATE_SCREENS=1` it is recorded, to review the diff.
 */
const isUpdate = process.env['HOSTDECK_UPDATE_SCREENS'] === '1';

type Size = (typeof sizes)[number];

/** Looks in a row, and milliseconds between them, at which a screen that is recorded has not changed. */
const looks = 12;
const pause = 25;

/** The size at which the roles of the cells are recorded too: elsewhere only their numbers differ. */
const usual: Size = '80x24';

/** Waits until the screen no longer changes, and returns it. */
async function settledRows(read: () => readonly string[]): Promise<readonly string[]> {
  let rows = read();
  for (let same = 0; same < looks; same += 1) {
    await sleep(pause);
    const next = read();
    if (JSON.stringify(next) !== JSON.stringify(rows)) same = 0;
    rows = next;
  }
  return rows;
}

/** A ground of the terminal, and the roles of styles on it. */
interface Ground {
  readonly colour: typeof black;
  readonly roleOf: RoleOf;
}

/** Takes a walk at a size, and returns its screens, each read after it was seen as expected. */
async function take(
  walk: Walk,
  size: Size,
  { colour, roleOf }: Ground,
  expected: KeptScreens | undefined,
): Promise<KeptScreens> {
  const found = new Map<string, readonly string[]>();
  const beginning = { ...walk, steps: started };
  await using screen = await ScreenSession.start(beginning, sizeOf('200x50'), {
    background: colour,
  });
  const rolesOf = size === usual ? roleOf : undefined;
  const read = () => screen.rows(rolesOf).map((row) => row.trimEnd());
  screen.session.resize(...sizeOf(size));
  for (const step of stepsOf(walk, 'drawn')) {
    if (!('keep' in step)) await screen.take(step);
    else if (expected === undefined) found.set(step.keep, await settledRows(read));
    else {
      const rows = JSON.stringify(expected.get(step.keep));
      await screen.session.waitFor(() => JSON.stringify(read()) === rows).catch(() => undefined);
      expect(read(), step.keep).toEqual(expected.get(step.keep));
    }
  }
  return found;
}

const dark: Ground = { colour: black, roleOf: await roleReader() };
const light: Ground = { colour: white, roleOf: await roleReader('light') };

describe.each(Object.entries(walks))('%s', (name, walk) => {
  test.each(sizes)('at %s', async (size) => {
    if (isUpdate) writeKept(name, size, await take(walk, size, dark, undefined));
    await take(walk, size, dark, readKept(name, size));
  });

  test('on a light ground', async () => {
    await take(walk, usual, light, readKept(name, usual));
  });

  test('spoken', async () => {
    if (isUpdate) writeSpeech(name, await takeSpoken(walk, undefined));
    await takeSpoken(walk, readSpeech(name));
  });
});
