import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readScreen, screenNames, sizes, writeScreen } from './screens/fixture.ts';
import { roleReader } from './screens/roles.ts';
import { ScreenSession, sizeOf } from './screens/session.ts';

/**
 * Each screen of the console at its four sizes, as in its fixture. With `HOSTDECK_UPDATE_SCREENS=1` the
 * rows are written into the fixtures instead, to review them as a diff.
 */
const isUpdate = process.env['HOSTDECK_UPDATE_SCREENS'] === '1';

/** Milliseconds in which a screen that is written is done with its changes. */
const settled = 700;

const roleOf = await roleReader();

test.each(screenNames())('%s', async (name) => {
  const fixture = readScreen(name);
  await using screen = await ScreenSession.start(fixture, sizeOf('200x50'));
  const screens: Record<string, readonly string[]> = {};
  for (const size of sizes.toReversed()) {
    screen.session.resize(...sizeOf(size));
    const expected = fixture.screens[size] ?? [];
    const isShown = () => JSON.stringify(screen.rows(roleOf)) === JSON.stringify(expected);
    if (isUpdate) await sleep(settled);
    else await screen.session.waitFor(isShown).catch(() => undefined);
    screens[size] = screen.rows(roleOf);
    if (!isUpdate) expect(screens[size], size).toEqual(expected);
  }
  if (isUpdate) writeScreen(name, screens);
});

test('one pane at a time opens on the deployments while one of them fails', async () => {
  const fixture = { service: 'fleet', steps: [{ see: '[1 Deployments 30]' }], screens: {} };
  await using screen = await ScreenSession.start(fixture, sizeOf('80x24'));
  expect(screen.session.screen).toContain('>o payments');
});
