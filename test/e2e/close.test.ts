import { expect, test } from 'vitest';
import type { Foreign } from '../servers/foreign.ts';
import { here } from './console-here.ts';
import { enterUntil } from './edit-console.ts';
import { createDeployment, openOnForeign } from './foreign-console.ts';
import { launch, type Session } from './harness.ts';

const names = ['shop-1', 'shop-2', 'shop-3'];

async function threeShops(foreign: Foreign): Promise<void> {
  for (const name of names) await createDeployment(foreign, name);
}

function sent(foreign: Foreign, action: 'close' | 'restart'): readonly (string | undefined)[] {
  return foreign.requests
    .filter(({ path }) => path.endsWith(`/${action}`))
    .map(({ path }) => foreign.deployments.get(path.split('/').at(-2) ?? '')?.title);
}

/** Puts the cursor of the deployments on a row. */
async function goTo(session: Session, name: string): Promise<void> {
  session.press('1');
  await session.waitFor('[1 Deployments');
  await session.waitFor(new RegExp(`^>?.. ?${name}`, 'm'));
  const rows = session.screen.split('\n').slice(3);
  const steps = rows.findIndex((row) => row.slice(3).startsWith(name));
  session.press('g', ...Array.from({ length: steps }, () => 'j'));
  await session.waitFor(new RegExp(`^>.. ?${name}`, 'm'));
}

/** Types into the box that is up and answers with its last option. */
async function answer(session: Session, word: string): Promise<void> {
  session.type(word);
  await session.waitFor(`: ${word}`);
  session.press('tab');
  await session.waitFor('[Close');
  await enterUntil(session, (now) => !now.screen.includes('[Close]'));
  session.press('1');
}

test('on the host: X, a name that differs and Esc send nothing; with the name it is closed', async () => {
  await using session = launch({ run: here });
  await session.waitFor(/job \d+/);
  await goTo(session, 'sample');
  session.press('X');
  await session.waitFor('close sample?');
  await session.waitFor("A closed deployment can't be reopened.");
  await session.waitFor('[Cancel]   Close (type the name to enable)');
  session.type('sampel');
  session.press('tab');
  await session.waitFor('[Close] (type the name to enable)');
  session.press('enter', 'enter');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('close sample?'));
  await session.waitFor(/sample +active/);
  session.press('X');
  await session.waitFor('close sample?');
  await answer(session, 'sample');
  await session.waitFor('Closed sample.');
  await session.waitFor(/sample +closed +-/);
  session.press('X');
  await session.waitFor(/sample was closed \d+s ago and can't be reopened\./);
});

test('a refresh moves nothing while the box is open, whatever comes above its row', async () => {
  await using deck = await openOnForeign({ prepare: threeShops });
  const { session, foreign } = deck;
  await goTo(session, 'shop-2');
  session.press('X');
  await session.waitFor('close shop-2?');
  const all = foreign.deployments as Map<string, unknown>;
  const before = [...all];
  all.clear();
  await createDeployment(foreign, 'newcomer');
  for (const [id, deployment] of before) all.set(id, deployment);
  await session.waitFor('newcomer');
  expect(session.screen).toContain('close shop-2?');
  await answer(session, 'shop-2');
  await session.waitFor('Closed shop-2.');
  expect(sent(foreign, 'close')).toEqual(['shop-2']);
});

test('one without a name is closed by the last four of its id', async () => {
  await using deck = await openOnForeign({
    prepare: async (foreign) => {
      await createDeployment(foreign, 'nameless');
      const made = [...foreign.deployments.values()].at(-1);
      if (made !== undefined) Object.assign(made, { title: '' });
    },
  });
  const { session, foreign } = deck;
  const { id = '' } = [...foreign.deployments.values()].at(-1) ?? {};
  await goTo(session, id.slice(0, 6));
  session.press('X');
  await session.waitFor(`Type ${id.slice(-4)}: `);
  await session.waitFor(id.slice(0, 30));
  await answer(session, id.slice(-4));
  await session.waitFor(/Closed \S+\.\.\S+\./);
  expect(sent(foreign, 'close')).toEqual(['']);
});

test('of three marked ones, that which is refused is named and closed alone by the same key', async () => {
  await using deck = await openOnForeign({ prepare: threeShops });
  const { session, foreign } = deck;
  await goTo(session, 'shop-1');
  session.press('space', 'space', 'space');
  await session.waitFor(/\* shop-1[^]*\* shop-2[^]*\* shop-3/);
  session.press('X');
  await session.waitFor('close 3 deployments?');
  await session.waitFor(/Closes 3 services\. Closed deployments can't/);
  foreign.failNext(1, { status: 503, method: 'POST' });
  await answer(session, 'close 3');
  await session.waitFor('Closed 2 of 3. shop-1 failed (503). X: close again.');
  await session.waitFor(/\* shop-1.*failed 503/);
  expect(session.screen).not.toMatch(/\* shop-[23]/);
  session.press('X');
  await session.waitFor('close shop-1?');
  await answer(session, 'shop-1');
  await session.waitFor('Closed shop-1.');
  expect(sent(foreign, 'close')).toEqual(['shop-1', 'shop-2', 'shop-3', 'shop-1']);
});

test('two marked ones are restarted after one box', async () => {
  await using deck = await openOnForeign({ prepare: threeShops });
  const { session, foreign } = deck;
  await goTo(session, 'shop-2');
  session.press('space', 'space', 'r');
  await session.waitFor('restart 2 deployments?');
  await session.waitFor('[Cancel]   Restart now');
  session.press('tab');
  await session.waitFor('[Restart now]');
  await enterUntil(session, (now) => !now.screen.includes('[Restart now]'));
  await session.waitFor('2 deployments are restarting.');
  expect(sent(foreign, 'restart')).toEqual(['shop-2', 'shop-3']);
});
