import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { redrawn } from './foreign-console.ts';
import { ScreenSession, sizeOf } from './screens/session.ts';

/** A key, a path that is typed and counts as none with its Enter, or a state of the screen to wait for. */
type Part = string | { readonly type: string } | { readonly see: string | RegExp };

/** A task of an operator, which may take only so many keys. */
interface Task {
  readonly name: string;
  /** Parts that lead to where the task begins; they do not count. */
  readonly from?: readonly Part[];
  readonly most: number;
  readonly keys: readonly Part[];
}

const see = (text: string | RegExp): Part => ({ see: text });

/** @param home folder of the person on this machine. */
function tasksIn(home: string): readonly Task[] {
  return [
    {
      name: 'find what is unhealthy',
      from: ['4', see('[4 Logs')],
      most: 1,
      keys: ['!', see('[4 Logs payments]'), see(/^>11:40:57\.745 api +exited 1, restart 7/m)],
    },
    { name: 'go to the error before', most: 1, keys: ['E', see(/^>11:40:57\.405 api +FATAL/m)] },
    {
      name: 'see only the errors',
      most: 4,
      keys: ['&', see('Enter keep'), 'F', 'A', 'enter', see('& FA  2 of 70')],
    },
    {
      name: 'go to a time',
      from: ['escape', see(/starts again/)],
      most: 7,
      keys: ['T', see('Go to time'), '1', '1', ':', '2', '0', 'enter', see('at or after 11:20:00')],
    },
    {
      name: 'export the log',
      most: 2,
      keys: ['S', see('Save 70 lines as'), 'enter', see(/Saved \d+ lines/)],
    },
    {
      name: 'open the log of another deployment',
      from: ['1', see('[1 Deployments'), 'G', see(/^> {2}wishlist/m)],
      most: 1,
      keys: ['enter', see('[4 Logs wishlist]')],
    },
    {
      name: 'restart it',
      from: ['1', see('[1 Deployments')],
      most: 3,
      keys: ['r', see('restart wishlist?'), 'tab', 'enter', see('wishlist is restarting')],
    },
    {
      name: 'find one of 30 that fails, open its newest error, and restart it',
      most: 4,
      keys: [
        '!',
        see('[4 Logs exit3]'),
        'r',
        see('restart exit3?'),
        'tab',
        'enter',
        see('exit3 is restarting'),
      ],
    },
    {
      name: 'join the logs of three',
      from: ['1', see('[1 Deployments'), 'g', see(/^>. payments/m)],
      most: 4,
      keys: ['space', 'space', 'space', 'l', see(/\[4 Logs payments \+ /)],
    },
    {
      name: 'edit a file and save it',
      from: ['1', see('[1 Deployments'), 'g', '*', '*', 'enter', see('[4 Logs payments]')],
      most: 5,
      keys: [
        '2',
        see('app.yaml'),
        'j',
        'e',
        see('EDIT'),
        '#',
        'ctrl+s',
        see('payments restarts in'),
      ],
    },
    {
      name: 'cancel the restart',
      from: ['ctrl+q', see('[2 Files')],
      most: 1,
      keys: ['c', see('Restart of payments cancelled')],
    },
    {
      name: 'upload a file',
      most: 3,
      keys: [
        'p',
        see('Upload to'),
        { type: path.join(home, 'notes.txt') },
        'enter',
        see('upload notes.txt?'),
        'tab',
        'enter',
        see(/^ +notes\.txt +/m),
      ],
    },
    {
      name: 'undo a batch of deleted files',
      from: [
        'c',
        'g',
        'j',
        'space',
        'space',
        'X',
        see('delete 2 files?'),
        { type: 'delete 2' },
        'tab',
        'enter',
        see(/Deleted 2 files/),
      ],
      most: 3,
      keys: ['u', see(/> 11:4\d {2}Deleted 2 files/), 'enter', see(/^ +app\.yaml/m)],
    },
    {
      name: 'create from a template',
      from: ['1', see('[1 Deployments')],
      most: 5,
      keys: [
        'a',
        see('new deployment from'),
        'enter',
        see('EDIT'),
        'ctrl+s',
        see('create web?'),
        'down',
        'enter',
        see('Created web'),
      ],
    },
    {
      name: 'create from a file',
      from: ['1', see('[1 Deployments')],
      most: 6,
      keys: [
        'a',
        see('new deployment from'),
        'l',
        see('> local file'),
        'enter',
        see('from file'),
        { type: path.join(home, 'worker.yaml') },
        'enter',
        see('EDIT'),
        'ctrl+s',
        see('create worker?'),
        'down',
        'enter',
        see('Created worker'),
      ],
    },
  ];
}

const sdl = 'version: "2.0"\nname: worker\nservices:\n  worker:\n    image: busybox\n';

/** Milliseconds after which a box counts as read, and answers Enter. */
const reading = 500;

test('each task takes few keys', async () => {
  const steps = [{ see: 'payments is crashing' }, { see: 'live' }] as const;
  const fixture = { service: 'fleet', steps, screens: {} };
  await using screen = await ScreenSession.start(fixture, sizeOf('80x24'));
  const home = screen.session.home.env['HOME'] ?? '';
  writeFileSync(path.join(home, 'notes.txt'), 'notes\n');
  writeFileSync(path.join(home, 'worker.yaml'), sdl);
  for (const { name, from = [], most, keys } of tasksIn(home)) {
    await take(screen, from, name);
    expect(await take(screen, keys, name), name).toBeLessThanOrEqual(most);
  }
});

/** Takes the parts one after the other. Returns the number of keys. */
async function take(screen: ScreenSession, parts: readonly Part[], name: string): Promise<number> {
  const { session } = screen;
  for (const [index, part] of parts.entries()) {
    const before = parts.slice(0, index).findLast((one) => typeof one === 'object' && 'see' in one);
    if (part === 'enter') await enter(screen, before);
    else if (typeof part === 'string') session.press(part);
    else if ('type' in part) session.paste(part.type);
    else {
      await session.waitFor(part.see).catch((error: unknown) => {
        throw new Error(`${name}: ${String(part.see)}`, { cause: error });
      });
    }
  }
  const count = parts.filter((part) => typeof part === 'string').length;
  // A path comes with its Enter.
  const paths = parts.filter((part) => typeof part === 'object' && 'type' in part).length;
  return count - paths;
}

/** Milliseconds in which the program mostly learns that a box is on the screen. */
const acknowledged = 150;

/** Presses Enter, and again while what was seen is still there: the program learns later of it. */
async function enter(screen: ScreenSession, seen: Part | undefined): Promise<void> {
  const { session } = screen;
  const isGone = () => {
    if (typeof seen !== 'object' || !('see' in seen)) return true;
    const { see: text } = seen;
    return !(typeof text === 'string' ? session.screen.includes(text) : text.test(session.screen));
  };
  const shown = session.waitFor(isGone).then(() => true);
  for (let isTaken = false; !isTaken; ) {
    await sleep(acknowledged);
    screen.advance(reading);
    session.press('enter');
    isTaken = await Promise.race([shown, sleep(redrawn, false)]);
  }
}
