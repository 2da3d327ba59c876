import { setScreen } from '../../support/set-screen.ts';
import { expect, test, vi } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { cursorAt } from '../../../source/store/lists/cursor.ts';
import { type Clipboard, printCopied, sentSentence } from '../../../source/view/command/copy.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { pressCopy } from '../copy-key.ts';
import { openDeck } from '../open-deck.ts';
import { goToFile, press, said } from '../press-keys.ts';

function keptClipboard() {
  const copied: string[] = [];
  const print = vi.fn(async () => {});
  const clipboard: Clipboard = {
    copy: async (text) => {
      copied.push(text);
      return { bytes: Buffer.byteLength(text), isSent: true, kept: { file: '/state/copied' } };
    },
    hasCopied: () => copied.length > 0,
    print,
  };
  return { clipboard, copied, print };
}

function goTo(deck: Deck, pane: 'deployments' | 'grants', id: string): void {
  const ids = deck.lists[pane].ids();
  setScreen(deck.screen, ({ cursors }) => ({
    focus: pane,
    cursors: { ...cursors, [pane]: cursorAt(ids, ids.indexOf(id)) },
  }));
}

test('a file is copied as its path, or with deployment and service', async () => {
  await using open = await openDeck();
  const { clipboard, copied } = keptClipboard();
  goToFile(open.deck, 'config/app.yaml');
  pressCopy(open.deck, clipboard, 'short');
  await said(open.deck, 'Sent 15 B to the clipboard. P prints it.');
  pressCopy(open.deck, clipboard, 'whole');
  expect(copied).toEqual(['config/app.yaml', 'bazaar/web/config/app.yaml']);
});

test('marked files are copied one a line, including those in marked folders', async () => {
  await using open = await openDeck();
  const { clipboard, copied } = keptClipboard();
  for (const path of ['config/app.yaml', 'README.md', 'config']) {
    goToFile(open.deck, path);
    press(open.deck, 'space');
  }
  pressCopy(open.deck, clipboard, 'short');
  expect(copied).toEqual(['README.md\nconfig\nconfig/app.yaml']);
});

test('a deployment is copied as its name, or as its id', async () => {
  await using open = await openDeck();
  const { clipboard, copied } = keptClipboard();
  goTo(open.deck, 'deployments', open.foreign.sample);
  pressCopy(open.deck, clipboard, 'short');
  pressCopy(open.deck, clipboard, 'whole');
  expect(copied).toEqual(['bazaar', open.foreign.sample]);
});

test('a grant is copied as the whole address of the other party', async () => {
  const other = `0x${'b7'.repeat(20)}`;
  const grant = {
    limit: 5,
    spent: 0,
    expiresAt: '2099-01-01T00:00:00Z',
    createdAt: '2026-01-01T00:00:00Z',
  };
  await using open = await openDeck({}, ({ grants, wallet }) => {
    grants.set('given', { ...grant, id: 'given', grantor: wallet, grantee: other });
    grants.set('received', { ...grant, id: 'received', grantor: other, grantee: wallet });
  });
  const { clipboard, copied } = keptClipboard();
  for (const id of ['given', 'received']) {
    goTo(open.deck, 'grants', id);
    pressCopy(open.deck, clipboard, 'short');
    pressCopy(open.deck, clipboard, 'whole');
  }
  expect(copied).toEqual([other, other, other, other]);
});

test('without a row nothing is copied, and without a copy nothing is printed', async () => {
  await using open = await openDeck();
  const { clipboard, copied, print } = keptClipboard();
  setScreen(open.deck.screen, ({ filters }) => ({
    focus: 'deployments',
    filters: { ...filters, deployments: 'no such name' },
  }));
  pressCopy(open.deck, clipboard, 'short');
  await said(open.deck, 'There is nothing to copy here.');
  await printCopied(open.deck, clipboard);
  await said(open.deck, 'Nothing copied yet.');
  expect(copied).toEqual([]);
  expect(print).not.toHaveBeenCalled();
});

test('a copy that was not sent or not saved is reported', () => {
  const whyNot = 'no space left on this machine';
  expect(sentSentence({ bytes: 212, isSent: true, kept: { file: 'FILE' } })).toBe(
    'Sent 212 B to the clipboard. P prints it.',
  );
  expect(sentSentence({ bytes: 212, isSent: true, kept: { whyNot } })).toBe(
    `Sent 212 B to the clipboard. No copy was saved: ${whyNot}. P prints it.`,
  );
  expect(sentSentence({ bytes: 90_000, isSent: false, kept: { file: 'FILE' } })).toBe(
    '90.0 kB is more than the clipboard takes (75.0 kB). Saved in FILE. P prints it.',
  );
});

test('marked deployments are copied in the order of their rows', async () => {
  await using open = await openDeck({}, (foreign) => createDeployment(foreign, 'second'));
  const { clipboard, copied } = keptClipboard();
  const { deck } = open;
  const ids = deck.lists.deployments.ids();
  setScreen(deck.screen, { focus: 'deployments', deploymentMarks: new Set(ids.toReversed()) });
  pressCopy(deck, clipboard, 'short');
  expect(copied).toEqual(['bazaar\nsecond']);
});

test('an address in the details of a grant is copied without its label', async () => {
  await using open = await openDeck({}, async ({ baseUrl, token, otherWallet }) => {
    await fetch(`${baseUrl}/api/v1/grants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ grantee: otherWallet, limit: 5, expires_at: '2099-01-01T00:00:00Z' }),
    });
  });
  const { clipboard, copied } = keptClipboard();
  const { deck, foreign } = open;
  press(deck, '3', 'd', 'j');
  pressCopy(deck, clipboard, 'short');
  press(deck, 'j', 'J');
  pressCopy(deck, clipboard, 'whole');
  expect(copied[0]).toBe(foreign.wallet);
  expect(JSON.parse(copied[1] ?? '')).toMatchObject({ grantee: foreign.otherWallet, limit: 5 });
});
