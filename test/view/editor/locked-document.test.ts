import { expect, test } from 'vitest';
import type { DraftLocks } from '../../../source/store/drafts/locks.ts';
import { placeKey } from '../../../source/store/drafts/places.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, goToFile, press, said, type } from '../press-keys.ts';

/** Returns locks in memory; `others` are the places that another console has open, with its id. */
function memoryLocks() {
  const others = new Map<string, number>();
  const own = new Set<string>();
  const locks: DraftLocks = {
    async lock(place, takeOver = false) {
      const key = placeKey(place);
      const pid = others.get(key);
      if (pid !== undefined && !takeOver) return { ok: false, pid };
      others.delete(key);
      own.add(key);
      return { ok: true };
    },
    async unlock(place) {
      own.delete(placeKey(place));
    },
    otherHolder: async (place) => others.get(placeKey(place)),
  };
  return { locks, others, own };
}

async function openLocked() {
  const memory = memoryLocks();
  const open = await openDeck({}, undefined, {
    kept: { ...temporaryKept(), locks: memory.locks },
  });
  const place = { deploymentId: open.foreign.sample, service: 'web', path: 'index.html' };
  return { ...memory, open, place, key: placeKey(place) };
}

async function inEditor({ deck }: OpenDeck): Promise<void> {
  await waitFor(() => {
    expect(deck.screen.getState().main.kind).toBe('editor');
    expect(deck.editor.state.getState().document).toBeDefined();
  });
}

test('a file that another console has open opens only after Take over', async () => {
  const { open, others, own, key } = await openLocked();
  await using _ = open;
  const { deck } = open;
  others.set(key, 4711);
  goToFile(deck, 'index.html');
  press(deck, 'e');
  const question = await boxOf(deck, 'open in another hostdeck (pid 4711)');
  expect(question.lines).toEqual(['bazaar/web index.html']);
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'View', 'Take over']);
  press(deck, 'enter');
  expect(deck.editor.state.getState()).toMatchObject({ document: undefined, opening: undefined });
  expect(others.get(key)).toBe(4711);
  press(deck, 'e');
  await boxOf(deck, 'open in another hostdeck');
  press(deck, 'down', 'enter');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('file'));
  expect(deck.editor.state.getState().document).toBeUndefined();
  goToFile(deck, 'index.html');
  press(deck, 'e');
  await boxOf(deck, 'open in another hostdeck');
  press(deck, 'down', 'down', 'enter');
  await inEditor(open);
  expect(own.has(key)).toBe(true);
});

test('the lock is kept while the file is open, and ends when it is left', async () => {
  const { open, own, key } = await openLocked();
  await using _ = open;
  const { deck } = open;
  goToFile(deck, 'index.html');
  press(deck, 'e');
  await inEditor(open);
  expect(own.has(key)).toBe(true);
  type(deck, 'x');
  press(deck, 'ctrl+q', 'e');
  await inEditor(open);
  await deck.drafts.flush();
  expect(own.has(key)).toBe(true);
  press(deck, 'ctrl+q');
  await waitFor(() => expect(own.has(key)).toBe(false));
});

test('a file that is not opened is not locked', async () => {
  const { open, own } = await openLocked();
  await using _ = open;
  const { deck, foreign } = open;
  foreign.put(foreign.sample, 'web', 'index.html', Buffer.from([0, 0xff]));
  goToFile(deck, 'index.html');
  press(deck, 'e');
  await said(deck, "index.html is binary and can't be edited.");
  await waitFor(() => expect(own.size).toBe(0));
});

test('the console whose file was taken over says so, and keeps its text as a draft', async () => {
  const { open, others, key } = await openLocked();
  await using _ = open;
  const { deck } = open;
  goToFile(deck, 'index.html');
  press(deck, 'e');
  await inEditor(open);
  others.set(key, 4712);
  type(deck, 'mine');
  await deck.drafts.flush();
  await said(
    deck,
    'index.html was taken over by another hostdeck (pid 4712). Your text stays a draft.',
  );
  expect(deck.drafts.state.getState().drafts.has(key)).toBe(true);
});
