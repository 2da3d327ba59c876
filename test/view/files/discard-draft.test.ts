import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, goToFile, openUndo, press, promptOf, said, type } from '../press-keys.ts';

async function inEditor(deck: Deck): Promise<void> {
  await waitFor(() => {
    expect(deck.screen.getState().main.kind).toBe('editor');
    expect(deck.editor.state.getState().document).toBeDefined();
  });
}

/** Types into a file and leaves it as a draft. */
async function makeDraft({ deck }: OpenDeck, path: string, text: string): Promise<void> {
  goToFile(deck, path);
  press(deck, 'e');
  await inEditor(deck);
  type(deck, text);
  press(deck, 'ctrl+q');
  await deck.drafts.flush();
  expect(deck.drafts.state.getState().drafts.size).toBe(1);
}

const drafts = (deck: Deck) => deck.drafts.state.getState().drafts.size;

test('U discards the draft of the row after a box, and u restores it', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  await makeDraft(open, 'config/app.yaml', 'mine');
  press(deck, 'U');
  const question = await boxOf(deck, 'discard draft of app.yaml?');
  expect(question.lines[0]).toMatch(/^bazaar\/web config\/app\.yaml, typed \d\d:\d\d\.$/);
  expect(question.options).toEqual([{ label: 'Cancel' }, { label: 'Discard', destroys: true }]);
  press(deck, 'enter');
  expect(drafts(deck)).toBe(1);
  press(deck, 'U');
  await boxOf(deck, 'discard draft of app.yaml?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Discarded the draft of app.yaml. u restores it.');
  expect(drafts(deck)).toBe(0);
  expect(await openUndo(deck)).toEqual([
    'Discarded draft of app.yaml | bazaar/web config/app.yaml',
  ]);
  press(deck, 'enter');
  await said(deck, 'Restored the draft of app.yaml. e opens it.');
  expect(drafts(deck)).toBe(1);
  press(deck, 'e');
  await inEditor(deck);
  expect(deck.editor.state.getState().file?.text.text()).toMatch(/^mineserver:/);
  // The base came back too, so the save finds no conflict.
  press(deck, 'ctrl+s');
  await said(deck, 'Saved config/app.yaml');
  expect(foreign.writes()).toHaveLength(1);
});

test('U on a row without a draft discards nothing', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'index.html');
  press(deck, 'U');
  await said(deck, 'index.html has no draft.');
  goToFile(deck, 'config');
  press(deck, 'U');
  await said(deck, 'Folders have no draft.');
  expect(deck.screen.getState().overlay).toBeUndefined();
});

test('U discards the draft of a new file, and its row disappears', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'index.html');
  press(deck, 'a');
  await promptOf(deck, 'New file');
  type(deck, 'new.txt');
  press(deck, 'enter');
  await inEditor(deck);
  type(deck, 'text');
  press(deck, 'ctrl+q');
  await waitFor(() => expect(deck.screen.getState().cursors.files.id).toBe('new.txt'));
  press(deck, 'U');
  await boxOf(deck, 'discard draft of new.txt?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Discarded the draft of new.txt. u restores it.');
  expect(deck.lists.files.ids()).not.toContain('new.txt');
  await openUndo(deck);
  press(deck, 'enter');
  await waitFor(() => expect(deck.lists.files.ids()).toContain('new.txt'));
});

test('F6 in the editor discards the typed text and leaves', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  press(deck, 'e');
  await inEditor(deck);
  press(deck, 'f6');
  await said(deck, 'Nothing was typed. ^Q leaves the editor.');
  type(deck, 'mine');
  press(deck, 'f6');
  await boxOf(deck, 'discard draft of index.html?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Discarded the draft of index.html. u restores it.');
  expect(drafts(deck)).toBe(0);
  expect(deck.screen.getState().main.kind).not.toBe('editor');
  await deck.drafts.flush();
  expect(drafts(deck)).toBe(0);
  await openUndo(deck);
  press(deck, 'enter');
  await waitFor(() => expect(drafts(deck)).toBe(1));
  expect(foreign.writes()).toEqual([]);
});

test('F6 on the definition of a new deployment discards it, and u restores it', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, '1');
  const place = { newDeployment: '7' };
  const draft = { text: 'name: mine\n', base: 'name: web\n', name: 'mine', sentAt: 5 };
  deck.drafts.typed(place, () => draft);
  await deck.drafts.flush();
  const { goOnWith } = await import('../../../source/view/deployments/new-deployment.ts');
  await goOnWith(deck, place);
  await inEditor(deck);
  press(deck, 'f6');
  const question = await boxOf(deck, 'discard the new deployment?');
  expect(question.lines).toEqual(['It goes to the trash; u restores it.']);
  press(deck, 'tab', 'enter');
  await said(deck, 'Discarded the draft of mine. u restores it.');
  expect(drafts(deck)).toBe(0);
  expect(deck.screen.getState().main.kind).not.toBe('editor');
  const requests = foreign.requests.length;
  await openUndo(deck);
  press(deck, 'enter');
  await said(deck, 'Restored the draft of mine. a opens it.');
  expect(await deck.drafts.read(place)).toMatchObject(draft);
  expect(foreign.requests.slice(requests).filter(({ path }) => path.includes('//'))).toEqual([]);
});

test('a draft that cannot go to the trash stays', async () => {
  const { trash, ...kept } = temporaryKept();
  const put = async () => ({ ok: false, sentence: 'The disk is full.' }) as const;
  await using open = await openDeck({}, undefined, { kept: { ...kept, trash: { ...trash, put } } });
  const { deck } = open;
  await makeDraft(open, 'index.html', 'mine');
  press(deck, 'U');
  await boxOf(deck, 'discard draft of index.html?');
  press(deck, 'tab', 'enter');
  await said(deck, 'The draft of index.html was not discarded. The disk is full.');
  expect(drafts(deck)).toBe(1);
});

test('u names a newer draft that it replaces, and puts that one into the trash', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await makeDraft(open, 'index.html', 'old');
  press(deck, 'U');
  await boxOf(deck, 'discard draft of index.html?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Discarded');
  await makeDraft(open, 'index.html', 'newer');
  await openUndo(deck);
  press(deck, 'enter');
  const question = await boxOf(deck, 'replace index.html?');
  expect(question.lines[0]).toBe('In bazaar/web: index.html already has a draft.');
  press(deck, 'tab', 'enter');
  await said(deck, 'Restored the draft of index.html.');
  deck.messages.say('');
  await openUndo(deck);
  press(deck, 'enter');
  await boxOf(deck, 'replace index.html?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Restored the draft of index.html.');
  press(deck, 'e');
  await inEditor(deck);
  expect(deck.editor.state.getState().file?.text.text()).toMatch(/^newer/);
});
