import { expect, test } from 'vitest';
import type { Foreign } from '../servers/foreign.ts';
import { createDeployment, openOnForeign, pressUntil } from './foreign-console.ts';
import type { Session } from './harness.ts';

function idOf(foreign: Foreign, name: string): string {
  const found = [...foreign.deployments.values()].find(({ title }) => title === name);
  return found?.id ?? expect.fail(`no ${name}`);
}

/** Returns whether each text is on the screen in a row below that of the text before it. */
function inOrder({ screen }: Session, ...texts: readonly string[]): boolean {
  const rows = screen.split('\n');
  let below = 0;
  return texts.every((text) => {
    const row = rows.findIndex((shown, index) => index >= below && shown.includes(text));
    below = row + 1;
    return row >= 0;
  });
}

async function joinBoth(session: Session): Promise<void> {
  await session.waitFor('[1 Deployments 2]');
  session.press('space', 'j', 'space', 'l');
  await session.waitFor(/\[4 Logs bazaar(-2)? \+ bazaar(-2)?\]/);
}

const wide = { cols: 120, rows: 36 };
const two = { ...wide, prepare: (foreign: Foreign) => createDeployment(foreign, 'bazaar-2') };

test('marked deployments open in one tail, each with a label and a colour', async () => {
  await using deck = await openOnForeign(two);
  const { session, foreign } = deck;
  await joinBoth(session);
  foreign.append(foreign.sample, 'web', 'first of all');
  await session.waitFor(/bazaar {3}web {4}first of all/);
  foreign.append(idOf(foreign, 'bazaar-2'), 'web', 'second of all');
  await session.waitFor(/bazaar-2 web {4}second of all/);
  foreign.append(foreign.sample, 'worker', 'third of all');
  await session.waitFor((now) => inOrder(now, 'first of all', 'second of all', 'third of all'));
  const colours = ['bazaar   web    first', 'bazaar-2 web    second'].map((text) => {
    const { x, y } = session.find(text);
    return session.terminal.cell(x, y).color;
  });
  expect(new Set(colours).size).toBe(2);
  // A single row opens an ordinary tail.
  session.press('1', 'g', 'l');
  await session.waitFor(/\[4 Logs bazaar(-2)?\]/);
  await session.waitFor((now) => !/bazaar-2 web/.test(now.screen));
});

test('a disconnected log does not disturb the others, and is filled in when it returns', async () => {
  await using deck = await openOnForeign(two);
  const { session, foreign } = deck;
  const other = idOf(foreign, 'bazaar-2');
  await joinBoth(session);
  foreign.append(other, 'web', 'before the cut');
  await session.waitFor('before the cut');
  const path = `/api/v1/deployments/${other}/logs`;
  foreign.answerWith(path, { logs: 'none today' });
  foreign.cutStreams(other);
  foreign.append(other, 'web', 'in the dark');
  foreign.append(foreign.sample, 'web', 'meanwhile here');
  await session.waitFor('meanwhile here');
  await session.waitFor((now) => foreign.streams() === 2 && now);
  foreign.append(other, 'web', 'back again');
  await session.waitFor(/-- bazaar-2: (gap: )?line/);
  await session.waitFor((now) => inOrder(now, 'before the cut', '-- bazaar-2: ', 'back again'));
  foreign.answerWith(path, undefined);
  session.press('R');
  await session.waitFor((now) => inOrder(now, 'before the cut', 'in the dark', 'back again'));
  await session.waitFor((now) => !now.screen.includes('-- bazaar-2: '));
});

test('more deployments than a tail can join are refused with a message', async () => {
  await using deck = await openOnForeign({
    ...wide,
    async prepare(foreign) {
      for (let number = 2; number <= 9; number += 1) {
        await createDeployment(foreign, `bazaar-${number}`);
      }
    },
  });
  const { session } = deck;
  await session.waitFor('[1 Deployments 9]');
  for (let number = 1; number <= 9; number += 1) session.press('space');
  session.press('l');
  await session.waitFor('9 deployments are marked; one log shows at most 8. Space unmarks.');
  session.press('space', 'l');
  await session.waitFor(/\[4 Logs bazaar\S* \+ bazaar\S* \+ 6 more\]/);
});

test('the tail continues after a restart, which a note marks', async () => {
  await using deck = await openOnForeign(wide);
  const { session, foreign } = deck;
  await session.waitFor('[1 Deployments 1]');
  foreign.append(foreign.sample, 'web', 'of the old one');
  await session.waitFor('of the old one');
  session.press('r');
  await session.waitFor('[Cancel]   Restart now');
  session.press('tab');
  await session.waitFor('Cancel   [Restart now]');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('restart bazaar?'));
  await session.waitFor(/-- bazaar restarted \d\d:\d\d:\d\d --/);
  // The services write it a moment after the answer to the restart.
  await session.waitFor(/worker restarted *$/m);
  foreign.cutStreams();
  await session.waitFor((now) => foreign.streams() === 1 && now);
  foreign.append(foreign.sample, 'web', 'of the new one');
  await session.waitFor((now) => inOrder(now, 'of the old one', '-- bazaar re', 'of the new one'));
  expect(session.screen.match(/-- bazaar restarted/g)).toHaveLength(1);
});
