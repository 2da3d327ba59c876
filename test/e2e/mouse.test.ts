import { expect, test } from 'vitest';
import {
  createDeployment,
  environmentOf,
  launchOnForeign,
  openOnForeign,
} from './foreign-console.ts';
import { waitFor } from '../support/wait-for.ts';
import { launch, type Session } from './harness.ts';

/** Private modes of mouse reports, of X10 to pixels, and alternate scroll. */
const mouseModes = /^(?:9|100[0-7]|101[56])$/;

/** Ends each frame; the terminal answers it when it shows the frame (ECMA-48 8.3.35). */
const question = '\x1b[5n';

/** Matches the title of the palette. */
const palette = /: command ─/;

/** Returns the changes of these modes: set, reset, saved and restored. */
function modeChanges(session: Session): readonly string[] {
  return [...session.transcript.matchAll(/\[\?([\d;]+)([hlsr])/g)].flatMap(
    ([, modes = '', action = '']) =>
      modes
        .split(';')
        .filter((mode) => mouseModes.test(mode))
        .map((mode) => mode + action),
  );
}

async function switchMouseOn(session: Session): Promise<void> {
  session.press(':');
  await session.waitFor(palette);
  session.type('mouse on\r');
  await session.waitFor('Clicks act.');
}

/** Clicks on the first cell of a text, once the terminal has acknowledged the whole screen with it. */
async function clickOn(session: Session, text: string): Promise<void> {
  await session.waitFor(
    ({ screen, isShown, transcript }) =>
      screen.includes(text) && isShown && transcript.endsWith(question),
  );
  session.click(session.find(text));
}

/** Resolves when the program has read a click: clicks and keys are read in order. */
async function clickWasRead(session: Session): Promise<void> {
  session.press(':');
  await session.waitFor(palette);
  session.press('escape');
  await session.waitFor((now) => !palette.test(now.screen));
}

test('the wheel scrolls by alternate scroll, and no other mode of the mouse is ever set', async () => {
  await using started = await launchOnForeign();
  const { session } = started;
  await session.waitFor(/\[4 Logs.* live/);
  session.kill('SIGTERM');
  await session.exited;
  expect(modeChanges(session)).toEqual(['1007s', '1007h', '1007r']);
});

test('with :mouse on, clicks act; the modes are off while away, at SIGTERM, and kept', async () => {
  await using deck = await launchOnForeign({
    service: { services: 'objects' },
    prepare: (service) => createDeployment(service, 'shop'),
  });
  const { session, foreign } = deck;
  const on = ['1000h', '1006h'];
  const off = ['1006l', '1000l'];
  await session.waitFor('[4 Logs');
  const writes = foreign.writes().length;
  await switchMouseOn(session);
  expect(modeChanges(session)).toEqual(['1007s', '1007h', ...on]);
  await clickOn(session, '1 Deployments');
  await session.waitFor('[1 Deployments 2]');
  await session.waitFor(/^>o? *\w+/m);
  const other = session.screen.includes('>o bazaar') ? 'shop' : 'bazaar';
  await clickOn(session, `${other} `);
  await session.waitFor(new RegExp(`^>. ${other}`, 'm'));
  await clickOn(session, `${other} `);
  await session.waitFor(`[4 Logs ${other}]`);
  await clickOn(session, '1 Deployments');
  await session.waitFor('[1 Deployments');
  await clickOn(session, 'age cost');
  await session.waitFor('[1 Deployments 2 by age]');
  await clickOn(session, 'age cost');
  await session.waitFor('[1 Deployments 2 by -age]');
  session.press('d');
  await session.waitFor(/^>id /m);
  await clickOn(session, 'name ');
  await session.waitFor(/^>name /m);
  session.press('q', '1');
  await session.waitFor('[1 Deployments 2 by -age]');
  session.type('\x1b[<65;5;5M');
  await session.waitFor((now) => now.terminal.rows.some((row, y) => y > 3 && row.startsWith('>')));
  await clickOn(session, 'r restart');
  await session.waitFor('Stops and starts');
  // A click selects a button; only a key presses it.
  await clickOn(session, 'Restart now');
  await session.waitFor('[Restart now]');
  await clickOn(session, '[Restart now]');
  await clickOn(session, 'Cancel');
  await session.waitFor('[Cancel]');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Stops and starts'));
  expect(foreign.writes()).toHaveLength(writes);

  session.press('4');
  await session.waitFor('[4 Logs');
  session.press('P');
  await session.waitFor(() => modeChanges(session).length === 7);
  expect(modeChanges(session).slice(4)).toEqual([...off, '1007r']);
  session.press('enter');
  await session.waitFor('[4 Logs');
  expect(modeChanges(session).slice(7).toSorted()).toEqual([...on, '1007h', '1007s']);
  session.kill('SIGTERM');
  await session.exited;
  expect(modeChanges(session).slice(11).toSorted()).toEqual([...off.toSorted(), '1007r']);

  await using again = launch({ home: session.home, env: environmentOf(foreign) });
  await again.waitFor(() => modeChanges(again).join(' ').includes(on.join(' ')));
});

test('clicks choose a line of the log, of a file and of a difference', async () => {
  await using deck = await openOnForeign({
    service: { services: 'objects' },
    prepare(service) {
      for (let line = 1; line <= 5; line += 1)
        service.append(service.sample, 'web', `entry ${line}`);
      service.put(service.sample, 'web', 'README.md', 'one\ntwo\nthree\nfour\n');
    },
  });
  const { session, foreign } = deck;
  await session.waitFor('entry 5');
  const writes = foreign.writes().length;
  await switchMouseOn(session);
  await clickOn(session, 'entry 3');
  await session.waitFor(/^>.* entry 3/m);
  await session.waitFor('PAUSED');
  session.press('v');
  await clickOn(session, 'entry 1');
  await session.waitFor(/^>.* entry 1/m);
  await session.waitFor('3 lines');
  session.press('escape');
  await clickOn(session, 'entry 2');
  await session.waitFor(/^>.* entry 2/m);
  await clickOn(session, 'entry 2');
  await session.waitFor('[4 Details line]');
  session.press('q', '2');
  await session.waitFor('README.md');
  await clickOn(session, 'README.md');
  await session.waitFor(/^>.*README/m);
  await clickOn(session, 'README.md');
  await session.waitFor('[4 View README.md]');
  await clickOn(session, 'three');
  await session.waitFor(/^> +3 three/m);
  session.press('e');
  await session.waitFor('EDIT');
  session.type('zero');
  session.press('f7');
  await session.waitFor('[4 Diff README.md');
  await clickOn(session, 'three');
  await session.waitFor(/^> *3 +3 +three/m);
  expect(foreign.writes()).toHaveLength(writes);
});

test('a click on a row of a picker selects it, and the second one chooses', async () => {
  await using deck = await openOnForeign({ service: { services: 'objects' } });
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs');
  const writes = foreign.writes().length;
  await switchMouseOn(session);
  session.press('2', 's');
  await session.waitFor(': service ─');
  await clickOn(session, '  worker');
  await session.waitFor('> worker');
  await clickOn(session, '> worker');
  await session.waitFor(/\[2 Files \S+worker/);
  session.press(':');
  await session.waitFor(palette);
  session.type('theme');
  await session.waitFor(/> Theme /);
  await clickOn(session, 'Theme mono');
  await session.waitFor('> Theme mono');
  await clickOn(session, 'Theme mono');
  await session.waitFor((now) => !palette.test(now.screen));
  session.press('?');
  await session.waitFor('Help: Files');
  session.type('details');
  // Earlier letters find it too; their frames take no clicks once the next one is painted.
  await session.waitFor('Find: details');
  await clickOn(session, '> d ');
  await clickOn(session, '> d ');
  await session.waitFor('[4 Details');
  expect(foreign.writes()).toHaveLength(writes);
});

test('a click counts for the last frame that the terminal acknowledged, or for nothing', async () => {
  await using deck = await openOnForeign({ service: { services: 'objects' } });
  const { session } = deck;
  await session.waitFor('[4 Logs');
  await switchMouseOn(session);
  session.press('1', 'r');
  await session.waitFor('Stops and starts');
  session.holdAnswers();
  // The terminal may still show the box that the click is on.
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Stops and starts'));
  session.click(session.find('3 Grants'));
  await clickWasRead(session);
  expect(session.screen).toContain('[1 Deployments');
  session.releaseAnswers();
  session.press('2');
  await session.waitFor('[2 Files');
  await session.waitFor('index.html');
  session.holdAnswers();
  // The folder is folded, so that another row moves under the pointer before it is acknowledged.
  session.press('g', 'h');
  await session.waitFor((now) => !now.screen.includes('app.yaml'));
  const readme = session.find('README.md');
  session.click(readme);
  await clickWasRead(session);
  expect(session.screen).toMatch(/^> {2}\+ config/m);
  session.releaseAnswers();
  await waitFor(
    async () => {
      session.click(readme);
      await new Promise(setImmediate);
      expect(session.screen).toMatch(/^> .*README|4 View README/m);
    },
    { interval: 100 },
  );
});
