import { expect, test } from 'vitest';
import { editFile } from '../../../source/view/editor/document.ts';
import { problemText } from '../../../source/view/editor/rows.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { press, said } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Leaves a draft of index.html, changes the file on the service, then opens the draft. */
async function openDraft(
  { deck, foreign }: OpenDeck,
  base: string | undefined,
  theirs: string | Uint8Array | undefined,
): Promise<void> {
  const place = { deploymentId: foreign.sample, service: 'web', path: 'index.html' };
  deck.drafts.typed(place, () => ({ text: 'mine\n', base }));
  await deck.drafts.flush();
  if (theirs === undefined) foreign.deployments.get(foreign.sample)?.files.get('web')?.clear();
  else foreign.put(foreign.sample, 'web', 'index.html', Buffer.from(theirs));
  await editFile(deck, place);
  expect(deck.screen.getState().main.kind).toBe('editor');
}

const message = ({ deck }: OpenDeck) => deck.screen.getState().message;

test('a draft of a file that others changed since says so, and F7 compares', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await openDraft(open, 'old\n', 'theirs\n');
  expect(message(open)?.text).toMatch(
    /^index\.html changed on the service since your draft of \d\d:\d\d\. F7 compares\.$/,
  );
  expect(message(open)?.tone).toBe('bad');
  press(deck, 'f7');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('diff'));
  press(deck, 'q');
  expect(deck.screen.getState().main.kind).toBe('editor');
  expect(deck.editor.state.getState().file?.text.text()).toBe('mine\n');
});

test('a draft of an unchanged file names its time and its keys', async () => {
  await using open = await openDeck();
  await openDraft(open, 'old\n', 'old\n');
  expect(message(open)?.text).toMatch(
    /^Draft of \d\d:\d\d:\d\d opened\. \^S saves, F6 discards\.$/,
  );
});

test('a draft of a file that others deleted since says so', async () => {
  await using open = await openDeck();
  await openDraft(open, 'old\n', undefined);
  expect(message(open)?.text).toMatch(
    /^index\.html was deleted on the service since your draft of \d\d:\d\d\. \^S asks what to do\.$/,
  );
});

test('a draft of a new file that others created since says so', async () => {
  await using open = await openDeck();
  await openDraft(open, undefined, 'theirs\n');
  expect(message(open)?.text).toMatch(
    /^index\.html was created on the service since your draft of \d\d:\d\d\. F7 compares\.$/,
  );
});

test('a draft of a file that is no longer text says so', async () => {
  await using open = await openDeck();
  await openDraft(open, 'old\n', Uint8Array.of(0, 0xff));
  expect(message(open)?.text).toMatch(
    /^index\.html changed on the service since your draft of \d\d:\d\d\. It is no longer text\.$/,
  );
});

test('a draft of a new file that is still missing has nothing to report', async () => {
  await using open = await openDeck();
  await openDraft(open, undefined, undefined);
  expect(message(open)?.text).toMatch(/^Draft of \d\d:\d\d:\d\d opened\./);
  press(open.deck, 'f7');
  await said(open.deck, 'index.html');
});

test('F8 shows a problem in place of the message about the draft', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'app.yaml' };
  deck.drafts.typed(place, () => ({ text: 'a: [\n', base: 'a: []\n' }));
  await deck.drafts.flush();
  foreign.put(foreign.sample, 'web', 'app.yaml', Buffer.from('a: []\n'));
  await editFile(deck, place);
  expect(message(open)?.text).toMatch(/^Draft of /);
  await waitFor(() => expect(problemText(deck)).toMatch(/^Line \d: /));
  press(deck, 'f8');
  expect(message(open)).toBeUndefined();
});
