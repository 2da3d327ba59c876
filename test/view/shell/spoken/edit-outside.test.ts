import { expect, onTestFinished, test } from 'vitest';
import type { LocalPlace } from '../../../../source/store/drafts/places.ts';
import { createDeploymentLike } from '../../../../source/view/deployments/new-deployment.ts';
import type { Handed } from '../../../../source/view/command/action.ts';
import { editFile, editNewFile } from '../../../../source/view/editor/document.ts';
import { editOutside } from '../../../../source/view/shell/spoken/edit-outside.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { type OpenDeck, openDeck } from '../../open-deck.ts';
import { boxOf, press, said } from '../../press-keys.ts';

/** Opens a deck whose texts go to an editor that does one thing each time, the last one again. */
async function openWithEditor(...edits: readonly ((text: string) => Handed)[]) {
  const open = await openDeck();
  const { deck, foreign } = open;
  const handed: string[] = [];
  const stop = editOutside(deck, {
    async hand(text) {
      handed.push(text);
      const edit = edits[Math.min(handed.length, edits.length) - 1];
      return edit?.(text);
    },
  });
  onTestFinished(stop);
  const place: LocalPlace = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  const stored = () => foreign.stored(place.deploymentId, place.service, place.path)?.toString();
  return {
    ...open,
    place,
    stored,
    handed,
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

const append = (line: string) => (text: string) =>
  ({ kind: 'changed', text: `${text}${line}\n` }) as const;
const nothing = (): Handed => ({ kind: 'unchanged' });

/** Answers the box with a title by the option with a label. */
async function answer(deck: OpenDeck['deck'], title: string, label: string): Promise<void> {
  const { options } = await boxOf(deck, title);
  const index = options.findIndex((option) => option.label === label);
  expect(options.map((option) => option.label)).toContain(label);
  press(deck, ...Array.from({ length: index }, () => 'down'), 'enter');
}

const isLeft = (deck: OpenDeck['deck']) =>
  waitFor(() => {
    const { document } = deck.editor.state.getState();
    if (document !== undefined) throw new Error(`${document.title} is open`);
  });

test('a changed text is saved where the question is answered so, and the editor is left', async () => {
  await using open = await openWithEditor(append('new line'));
  const { deck, place, stored } = open;
  await editFile(deck, place);
  await answer(deck, 'README.md is not saved', 'Save');
  await said(deck, 'Saved README.md');
  await isLeft(deck);
  expect(stored()).toMatch(/new line\n$/);
  expect(deck.screen.getState().main.kind).toBe('logs');
});

test('kept as a draft, nothing is sent', async () => {
  await using open = await openWithEditor(append('new line'), nothing);
  const { deck, place, foreign } = open;
  await editFile(deck, place);
  await answer(deck, 'README.md is not saved', 'Keep draft');
  await said(deck, 'Draft kept; e opens it.');
  await isLeft(deck);
  expect(foreign.writes()).toEqual([]);
  await editFile(deck, place);
  await answer(deck, 'README.md is not saved', 'Discard...');
  await answer(deck, 'discard', 'Discard');
  await isLeft(deck);
});

test.each([
  ['README.md was not changed.', nothing],
  [
    'vi was not found; set EDITOR.',
    (): Handed => ({ kind: 'failed', sentence: 'vi was not found; set EDITOR.' }),
  ],
])('%s: the editor is left', async (sentence, edit) => {
  await using open = await openWithEditor(edit);
  const { deck, place, foreign } = open;
  await editFile(deck, place);
  await said(deck, sentence);
  await isLeft(deck);
  expect(foreign.writes()).toEqual([]);
});

test('after a conflict it asks again, and shows the comparison of both versions', async () => {
  await using open = await openWithEditor(append('mine'));
  const { deck, foreign, place, stored, handed } = open;
  await editFile(deck, place);
  await boxOf(deck, 'README.md is not saved');
  foreign.put(place.deploymentId, place.service, place.path, 'theirs\n');
  await answer(deck, 'README.md is not saved', 'Save');
  await answer(deck, 'changed on the service', 'Keep editing');
  await answer(deck, 'README.md is not saved', 'Compare');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('diff'));
  press(deck, 'q');
  await answer(deck, 'README.md is not saved', 'Save');
  await answer(deck, 'changed on the service', 'Overwrite');
  await isLeft(deck);
  expect(stored()).toMatch(/mine\n$/);
  expect(handed).toHaveLength(1);
});

test('it hands the text over again where that is the answer', async () => {
  await using open = await openWithEditor(append('one'), append('two'));
  const { deck, place, handed } = open;
  await editFile(deck, place);
  await answer(deck, 'README.md is not saved', 'Edit again');
  await answer(deck, 'README.md is not saved', 'Keep draft');
  await isLeft(deck);
  expect(handed[1]).toMatch(/one\n$/);
});

test('a new file without a text is not created, one with a text is', async () => {
  await using open = await openWithEditor(nothing, append('hello'));
  const { deck, foreign, place } = open;
  const fresh = { ...place, path: 'fresh.txt' };
  await editNewFile(deck, fresh);
  await said(deck, 'fresh.txt was not created.');
  await isLeft(deck);
  await editNewFile(deck, fresh);
  await answer(deck, 'fresh.txt is not saved', 'Save');
  await isLeft(deck);
  expect(foreign.stored(fresh.deploymentId, fresh.service, fresh.path)?.toString()).toBe('hello\n');
});

test('an unchanged definition may be created as it is, after its own question', async () => {
  await using open = await openWithEditor(nothing);
  const { deck, foreign } = open;
  press(deck, '1');
  await createDeploymentLike(deck);
  await answer(deck, 'is not created', 'Create...');
  await answer(deck, 'create bazaar', 'Create');
  await isLeft(deck);
  expect(foreign.deployments.size).toBe(2);
});
