import { expect, it } from 'vitest';
import type { Foreign } from '../../servers/foreign.ts';
import { type OpenDeck, openDeck } from '../open-deck.ts';
import { setScreen } from '../../support/set-screen.ts';

const hour = 3_600_000;

/** A grant on the service that ends so many ms from now by the clock that is `ahead`. */
function lend(foreign: Foreign, id: string, ends: number, ahead = 0, received = false): void {
  foreign.grants.set(id, {
    id,
    grantor: received ? foreign.otherWallet : foreign.wallet,
    grantee: received ? foreign.wallet : foreign.otherWallet,
    limit: 10,
    spent: 2.5,
    expiresAt: new Date(Date.now() + ahead + ends).toISOString(),
    createdAt: new Date(Date.now() + ahead - hour).toISOString(),
  });
}

/** Resolves when the grants pass this filter. */
function filtered({ deck }: OpenDeck, ids: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (deck.lists.grants.ids().join() !== ids.join()) return;
      end();
      resolve();
    };
    const end = deck.grants.list.state.subscribe(check);
    check();
  });
}

/** Resolves when the message row says this: the next list may be a while off. */
function said({ deck: { screen } }: OpenDeck, text: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (screen.getState().message?.text.includes(text) !== true) return;
      end();
      resolve();
    };
    const end = screen.subscribe(check);
    check();
  });
}

it.each([-hour, 0, hour])(
  'a grant expires by a clock that is %i ms ahead, in the filter too, and a message reports it',
  async (ahead) => {
    await using open = await openDeck({ now: () => Date.now() + ahead }, (foreign) => {
      lend(foreign, 'old', -1000, ahead);
      lend(foreign, 'soon', hour, ahead);
      lend(foreign, 'late', hour, ahead);
    });
    const { deck, foreign } = open;
    expect(deck.screen.getState().message).toBeUndefined();
    setScreen(deck.screen, ({ filters }) => ({ filters: { ...filters, grants: 'state:exp' } }));
    await filtered(open, ['old']);
    lend(foreign, 'soon', 0, ahead);
    await filtered(open, ['old', 'soon']);
    await said(open, 'Grant to cos..er expired. A makes a new one.');
  },
);

it('messages report spending to the limit, new grants and revocations by others', async () => {
  await using open = await openDeck({}, (foreign) => {
    lend(foreign, 'given', hour);
    lend(foreign, 'taken', hour, 0, true);
  });
  const { deck, foreign } = open;
  const grant = foreign.grants.get('given');
  if (grant !== undefined) grant.spent = 10;
  await said(open, 'Grant to cos..er reached its limit of 10; spending stopped.');
  expect(deck.screen.getState().message?.tone).toBe('bad');
  foreign.grants.delete('taken');
  await said(open, 'is not listed; it may have been revoked. bazaar may be paid by your');
});

it('own changes are not reported', async () => {
  await using open = await openDeck({}, (foreign) => {
    lend(foreign, 'given', hour);
    lend(foreign, 'soon', 3000);
  });
  const { deck, foreign } = open;
  deck.grants.noteChange('given');
  foreign.grants.delete('given');
  await filtered(open, ['soon']);
  await said(open, 'expired.');
  expect(deck.screen.getState().message?.text).not.toContain('no longer');
});
