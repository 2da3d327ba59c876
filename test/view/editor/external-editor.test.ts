import { expect, test } from 'vitest';
import { editFile, leaveEditor } from '../../../source/view/editor/document.ts';
import { editExternally } from '../../../source/view/editor/external-editor.ts';
import { openDeck } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';

test('a text changed after its editor was closed becomes a draft', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'late.txt' };
  foreign.put(foreign.sample, 'web', place.path, 'base\n');
  await editFile(deck, place);
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('editor'));
  const hand = (text: string) => {
    leaveEditor(deck);
    return Promise.resolve({ kind: 'changed', text: `mine ${text}` } as const);
  };
  await editExternally(deck, { hand });
  expect(deck.editor.state.getState().file).toBeUndefined();
  const draft = { text: 'mine base\n', base: 'base\n' };
  expect(await deck.drafts.read(place)).toMatchObject(draft);
  expect(deck.screen.getState().message?.text).toContain('late.txt changed in $EDITOR');
});
