import { describe, expect, test } from 'vitest';
import { choose, enterUntil } from './edit-console.ts';
import { pressUntil } from './foreign-console.ts';
import type { Session } from './harness.ts';
import { dana, type Ground, grounds, openGround } from './walk-ground.ts';

const hour = 3_600_000;

/** The screen as running text: messages go on in the next row. */
const words = ({ screen }: Session) => screen.replaceAll(/\s+/g, ' ');

async function toDeployments({ session }: Ground, count: number): Promise<void> {
  await session.waitFor('4 Logs ');
  session.press('1');
  await session.waitFor(`[1 Deployments ${count}`);
}

const writes = ({ proxy }: Ground) =>
  proxy.writes().map(({ method, path }) => `${method} ${path.replace(/^.*\/api\/v1/, '')}`);

const openThreeHundred = () =>
  openGround('a foreign service', async (service) => {
    for (let index = 0; index < 299; index += 1) await service.deploy(`shop-${index}`);
    await service.deploy('payments');
  });

/** The walks on one service come one after the other, while those on the other service go on. */
const walk = (title: string, walked: () => Promise<void>) =>
  test(title, { concurrent: false }, walked);

describe.concurrent.each(Object.keys(grounds) as (keyof typeof grounds)[])('on %s', (name) => {
  walk(
    'SDL with a mistake: a template ^S says price and payer; a refusal keeps the text',
    async () => {
      await using ground = await openGround(name, (service) => service.deploy('shop'));
      const { session } = ground;
      await toDeployments(ground, name === 'our host' ? 1 : 2);
      session.press('a');
      await session.waitFor('new deployment from');
      session.type('web');
      await session.waitFor('│ > web ');
      session.press('enter');
      await session.waitFor('EDIT new deployment');
      if (name === 'our host') {
        // Behind a base URL it is any service, which is offered an image; this one runs commands.
        session.press('ctrl+f');
        session.type('image: node:24');
        session.press('enter');
        await session.waitFor('match 1 of 1');
        session.press('ctrl+k');
        await session.waitFor((now) => !now.screen.includes('image: node'));
      }
      session.press('ctrl+f');
      session.type('count: 1');
      session.press('enter');
      await session.waitFor('match 1 of 1');
      session.type('count: 1: 2');
      await session.waitFor(/! +\d+ +count: 1: 2/);
      session.press('ctrl+home');
      session.press('ctrl+s');
      await session.waitFor('the service may refuse it');
      expect(writes(ground)).toEqual([]);
      await choose(session, 'Create');
      await session.waitFor(/Not created; draft kept\. Line \d+: /);
      const [, line] = /draft kept\. Line (\d+)/.exec(session.screen) ?? [];
      await session.waitFor(`Ln ${line} Col`);
      expect(session.screen).toMatch(/! +\d+ +count: 1: 2/);
      expect(session.screen).toContain('EDIT new deployment  unsaved');
      session.press('ctrl+z');
      await session.waitFor((now) => !now.screen.includes('count: 1: 2'));
      session.press('ctrl+s');
      await session.waitFor('create web?');
      // Another service may cost anything, and be paid by anybody.
      const [cost, payer] =
        name === 'our host' ? ['Cost     ', 'your own balance'] : ['SDL price', 'unknown'];
      expect(session.screen).toContain(`${cost} 0.6 an hour, 14.4 a day`);
      expect(session.screen).toContain(`Payer     ${payer}`);
      expect(session.screen).toContain('[Cancel]   Create');
      expect(writes(ground)).toEqual(['POST /deployments']);
      await choose(session, 'Create');
      await session.waitFor('[4 Logs web]');
      await session.waitFor('Created web. This is its log.');
      expect(writes(ground)).toEqual(['POST /deployments', 'POST /deployments']);
    },
  );

  walk(
    'Runs out: by the clock a message and the state word, and the deployments at risk',
    async () => {
      await using ground = await openGround(name, async (service) => {
        await service.give({ limit: 5, ends: hour });
        await service.deploy('shop');
      });
      const { session, service } = ground;
      await session.waitFor('4 Logs ');
      session.press('3');
      await session.waitFor(/given to Dana +0\/5 -/);
      await service.receive({ limit: 8, ends: 6000 });
      await session.waitFor(/received from Dana +0?\.?[1-9]\d*\/8 #/);
      await session.waitFor((now) =>
        /The grant from Dana expired\. (bazaar and shop|shop and bazaar|shop) may be paid by your own balance now\./.test(
          words(now),
        ),
      );
      await session.waitFor(/received from Dana +[\d.]+\/8 .* expired$/m);
      await service.spendAll();
      await session.waitFor((now) =>
        words(now).includes(
          'Grant to Dana reached its limit of 5; spending stopped. A makes a new one.',
        ),
      );
      await session.waitFor(/given to Dana +5\/5 .* limit reached$/m);
      expect(writes(ground)).toEqual([]);
    },
  );
});

describe('on any service', () => {
  test('One of 300: /pay Enter Enter; moving the cursor opens nothing', async () => {
    await using ground = await openThreeHundred();
    const { session } = ground;
    await toDeployments(ground, 301);
    session.press('/', 'p', 'a', 'y', 'enter', 'enter');
    await session.waitFor('[4 Logs payments]');
    session.press('1');
    await session.waitFor(/^>o payments/m);
    session.press('escape');
    await session.waitFor('[1 Deployments 301]');
    session.press('g', 'j', 'j', 'j');
    await session.waitFor(/^> {2}shop-/m);
    expect(session.screen).toContain('4 Logs payments');
    session.press('/');
    session.type('payments');
    await session.waitFor(/^>o payments/m);
    expect(writes(ground)).toEqual([]);
  });

  test('One of 300: :pay Enter', async () => {
    await using ground = await openThreeHundred();
    const { session } = ground;
    await toDeployments(ground, 301);
    session.press(':', 'p', 'a', 'y', 'enter');
    await session.waitFor('[4 Logs payments]');
    session.press('1');
    session.type('/payments');
    await session.waitFor(/^>o payments/m);
    expect(writes(ground)).toEqual([]);
  });

  test('Nearly closed: X, a name that differs, Esc; a refresh never moves what the box acts on', async () => {
    await using ground = await openGround('a foreign service', async (service) => {
      for (const shop of ['shop-1', 'shop-2', 'shop-3']) await service.deploy(shop);
    });
    const { session, service } = ground;
    await toDeployments(ground, 4);
    session.type('/shop-2\r');
    await session.waitFor(/^>[o ] shop-2/m);
    session.press('escape');
    await session.waitFor('[1 Deployments 4]');
    await session.waitFor(/^>[o ] shop-2/m);
    session.press('X');
    await session.waitFor('close shop-2?');
    await session.waitFor("A closed deployment can't be reopened.");
    session.type('shop-3');
    session.press('tab');
    await session.waitFor('[Close] (type the name to enable)');
    session.press('enter', 'enter', 'escape');
    await session.waitFor((now) => !now.screen.includes('close shop-2?'));
    session.press('X');
    await session.waitFor('close shop-2?');
    await service.deploy('newcomer');
    await session.waitFor('newcomer');
    expect(writes(ground)).toEqual([]);
    expect(session.screen).toContain('close shop-2?');
    session.type('shop-2');
    await session.waitFor(': shop-2');
    session.press('tab');
    await session.waitFor('[Close]');
    await enterUntil(session, (now) => !now.screen.includes('[Close]'));
    await session.waitFor('Closed shop-2.');
    await session.waitFor(/^>[o ] shop-2 +(closed|stopped)/m);
    expect(session.screen).not.toMatch(/shop-[13] +(closed|stopped)/);
    expect(writes(ground)).toEqual([expect.stringMatching(/^POST \/deployments\/[^/]+\/close$/)]);
  });

  test('Grant for 30 days: a Dana Enter 50 Enter 30d Enter Tab Enter', async () => {
    await using ground = await openGround('a foreign service', (service) => service.deploy('shop'));
    const { session } = ground;
    await session.waitFor('4 Logs ');
    session.press('3');
    await session.waitFor('[3 Grants 0]');
    session.press('a');
    await session.waitFor(': new grant');
    for (const text of ['Dana', '50', '30d']) {
      session.type(text);
      session.press('enter');
    }
    await session.waitFor('Dana may spend up to 50 from your balance until then.');
    expect(session.screen).toContain(`│         ${dana} `);
    expect(session.screen).toMatch(/│ Until {3}30d {7}\d{4}-\d\d-\d\d \d\d:\d\d UTC, .*here/);
    expect(session.screen).toContain('[Cancel]   Grant');
    expect(session.screen).not.toMatch(/[$€£¥₿]|\b(USD|EUR|AKT|credits?|tokens?|coins?)\b/i);
    expect(writes(ground)).toEqual([]);
    session.press('tab');
    await session.waitFor('[Grant]');
    await pressUntil(session, 'enter', (now) => !now.screen.includes('[Grant]'));
    await session.waitFor('Dana may spend up to 50 until');
    session.press('3');
    await session.waitFor(/^> {2}given to Dana +0\/50 -+ +\S+ +(30|29)d/m);
    expect(writes(ground)).toEqual(['POST /grants']);
  });
});
