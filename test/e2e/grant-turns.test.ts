import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { systemClock } from '../../source/host/clock.ts';
import { deploy, fieldOf } from '../host/support/bodies.ts';
import { idle, sdlOf, temporaryHost } from '../host/support/temporary-host.ts';
import type { Foreign } from '../servers/foreign.ts';
import { here } from './console-here.ts';
import { openOnForeign } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { launch } from './harness.ts';

const hour = 3_600_000;
const me = 'cosmos1foreign';
const other = 'cosmos1foreign-other';

/** A grant on the foreign service; given, unless it is received. */
function lend(foreign: Foreign, id: string, ends: number, more: { received?: true } = {}): void {
  const [grantor, grantee] = more.received ? [other, me] : [me, other];
  foreign.grants.set(id, {
    id,
    grantor,
    grantee,
    limit: 10,
    spent: 2.5,
    expiresAt: new Date(Date.now() + ends).toISOString(),
    createdAt: new Date(Date.now() - hour).toISOString(),
  });
}

/** Folders with this address book in them, until the end of the test. */
function homeWith({ onTestFinished }: TestContext, addresses: string): Home {
  const home = new Home();
  onTestFinished(() => home.remove());
  const folder = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'addresses.json'), addresses);
  return home;
}

// Most of their time passes until a grant expires or a list is fetched again: they wait together.
describe.concurrent('on a foreign service', () => {
  test('a grant expires while it is looked at: a message, the state word, the filter', async (context) => {
    await using deck = await openOnForeign({
      home: homeWith(context, `{"Dana": "${other}"}`),
      env: { HOSTDECK_WALLET: me },
      prepare: (foreign) => lend(foreign, 'late', hour),
    });
    const { session, foreign } = deck;
    await session.waitFor('4 Logs bazaar');
    session.press('3');
    await session.waitFor(/^>? {2,3}given to Dana +2\.5\/10 #/m);
    lend(foreign, 'soon', 4000);
    await session.waitFor(/Dana.*\n.*Dana/);
    session.press('/');
    session.type('state:exp');
    session.press('enter');
    await session.waitFor('0 of 2 grants match');
    await session.waitFor('Grant to Dana expired. A makes a new one.');
    await session.waitFor(/^> {2}given to Dana +2\.5\/10 .* expired$/m);
    expect(session.screen).toContain('[3 Grants 1/2 /state:exp]');
  });

  test('a limit that is reached and a grant that is taken away are said in any pane', async () => {
    await using deck = await openOnForeign({
      env: { HOSTDECK_WALLET: me },
      prepare(foreign) {
        lend(foreign, 'given', hour);
        lend(foreign, 'taken', hour, { received: true });
      },
    });
    const { session, foreign } = deck;
    await session.waitFor('[4 Logs bazaar]');
    session.press('3', '4');
    await session.waitFor('3 Grants 2');
    const given = foreign.grants.get('given');
    if (given !== undefined) given.spent = 10;
    await session.waitFor('Grant to cos..er reached its limit of 10; spending stopped. A makes');
    session.press('3');
    await session.waitFor(/given to cos\.\.er +10\/10 .* limit reached$/m);
    foreign.grants.delete('taken');
    await session.waitFor(
      /not listed; it may have been revoked\. bazaar may\s+be\s+paid\s+by\s+your own balance now\./,
    );
  });

  test('an address book that cannot be read costs its names, and is said', async (context) => {
    await using deck = await openOnForeign({
      home: homeWith(context, '{"Dana": '),
      env: { HOSTDECK_WALLET: me },
      prepare: (foreign) => lend(foreign, 'given', hour),
    });
    const { session } = deck;
    await session.waitFor(/is\s+not\s+a\s+JSON\s+object\s+like\s+\{"Dana": "0x12ab"\}/);
    session.press('3');
    await session.waitFor('given to cos..er');
  });
});

test.concurrent.for([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
] as const)(
  'on a host %s, what happens to grants is said as it happens',
  async ([, ahead], context) => {
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const service = await temporaryHost({ clock });
    context.onTestFinished(() => service.remove());
    const dana = service.as('0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c');
    const mine = service.as('0x9f000000000000000000000000000000000000a1');
    const until = (ends: number) => new Date(clock.now() + ends).toISOString();
    const give = async (by: typeof dana, grantee: string, limit: number, ends: number) => {
      const json = { grantee, limit, expires_at: until(ends) };
      return (fieldOf(await by.call('createGrant', { json }), 'grant') as { id: string }).id;
    };
    await give(mine, dana.wallet, 5, hour);
    const received = await give(dana, mine.wallet, 8, hour);
    // Two each second: the received grant is used.
    await deploy(mine, sdlOf({ web: { ...idle, amount: 1_200_000 } }, 'shop'));
    await using session = launch({
      run: here,
      home: homeWith(context, `{"Dana": "${dana.wallet.toUpperCase().replace('X', 'x')}"}`),
      env: {
        HOSTDECK_BASE_URL: service.host.baseUrl,
        HOSTDECK_TOKEN: mine.token,
        HOSTDECK_WALLET: mine.wallet,
      },
    });
    await session.waitFor('4 Logs shop');
    session.press('3');
    await session.waitFor(/received from Dana +[\d.]+\/8 #/);
    await dana.call('revokeGrant', { id: received });
    await session.waitFor(
      /The grant from Dana was revoked\. shop may be paid by your\s+own balance/,
    );
    await session.waitFor(/received from Dana +[\d.]+\/8 .* revoked$/m);

    await give(mine, dana.wallet, 3, 4000);
    await session.waitFor('3 Grants 3');
    await session.waitFor('Grant to Dana expired. A makes a new one.');

    await deploy(dana, sdlOf({ web: { ...idle, amount: 12_000_000 } }, 'bot'));
    await session.waitFor(
      'Grant to Dana reached its limit of 5; spending stopped. A makes a new one.',
    );
    await session.waitFor(/given to Dana +5\/5 .* limit reached$/m);

    await give(dana, mine.wallet, 2, hour);
    await session.waitFor(/New grant from Dana: up to 2 until \d{4}-/);
  },
);
