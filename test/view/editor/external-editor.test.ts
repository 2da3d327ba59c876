import { expect, test } from 'vitest';
import { editFile, leaveEditor } from '../../../source/view/editor/commands.ts';
import { handOut } from '../../../source/view/editor/external-editor.ts';
import { openConsole } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';

test('what comes back after its editor was left is kept as a draft', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'late.txt' };
  foreign.put(foreign.sample, 'web', place.path, 'base\n');
  await editFile(console, place);
  await waitFor(() => expect(console.screen.getState().main.kind).toBe('editor'));
  const hand = (text: string) => {
    leaveEditor(console);
    return Promise.resolve({ kind: 'changed', text: `mine ${text}` } as const);
  };
  await handOut(console, { hand });
  expect(console.editor.state.getState().file).toBeUndefined();
  const draft = { text: 'mine base\n', base: 'base\n' };
  expect(await console.drafts.read(place)).toMatchObject(draft);
  expect(console.screen.getState().message?.text).toContain('late.txt came back changed');
});
