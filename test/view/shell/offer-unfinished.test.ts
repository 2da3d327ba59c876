import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { AnsweredDrafts } from '../../../source/store/drafts/answered.ts';
import type { PendingRestart } from '../../../source/store/restarts/journal.ts';
import { editFile } from '../../../source/view/editor/document.ts';
import { offerUnfinished } from '../../../source/view/shell/offer-unfinished.ts';
import { openDeck } from '../open-deck.ts';
import { openUndo, press, said } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

/** Returns the answers of earlier starts, which this start adds to. */
function noAnswers(): AnsweredDrafts {
  let answered: readonly string[] = [];
  return {
    read: () => new Set(answered),
    write(ids) {
      answered = ids;
    },
  };
}

/** Returns the open box. */
function boxIn(deck: Deck) {
  const { overlay } = deck.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  return overlay.question;
}

const place = { service: 'web', path: 'config/app.yaml' };

test('drafts are offered by name, newest first, and Later changes nothing', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const at = (path: string) => ({ deploymentId: foreign.sample, service: 'web', path });
  deck.drafts.typed(at('old.txt'), () => ({ text: 'old', base: undefined }));
  await deck.drafts.flush();
  await waitFor(() => {
    deck.drafts.typed(at('config/app.yaml'), () => ({ text: 'new: 1\n', base: 'new: 0\n' }));
    const [first, second] = [...deck.drafts.state.getState().drafts.values()];
    expect(first?.at).toBeLessThan(second?.at ?? 0);
  });
  offerUnfinished(deck, noAnswers());
  const { overlay, message } = deck.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  expect(message?.text).toMatch(/^Unfinished since .*: 2 drafts\. Nothing was sent yet\.$/);
  const { options } = overlay.question;
  expect(options.map(({ label }) => label)).toEqual([
    'Later',
    'Open app.yaml',
    'Open old.txt',
    'Discard drafts',
  ]);
  expect(options[1]?.meaning).toContain('bazaar/web config/app.yaml');
  overlay.question.answer(0);
  expect(deck.drafts.state.getState().drafts.size).toBe(2);
});

test('a chosen draft opens in the editor without a request', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const draft = { deploymentId: foreign.sample, ...place };
  deck.drafts.typed(draft, () => ({ text: 'mine: 1\n', base: 'theirs: 0\n' }));
  offerUnfinished(deck, noAnswers());
  const { overlay } = deck.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  setScreen(deck.screen, { overlay: undefined });
  overlay.question.answer(1);
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('editor'));
  expect(deck.editor.state.getState().file?.text.text()).toBe('mine: 1\n');
  expect(foreign.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a draft already saved on the service reports that it may not be applied', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const draft = { deploymentId: foreign.sample, ...place };
  deck.drafts.typed(draft, () => ({ text: 'mine: 1\n', base: 'theirs: 0\n' }));
  await deck.drafts.flush();
  foreign.put(foreign.sample, place.service, place.path, 'mine: 1\n');
  await editFile(deck, draft);
  expect(deck.screen.getState().message?.text).toBe(
    'The service already has your draft of app.yaml. r restarts bazaar to apply it.',
  );
  await waitFor(() => expect(deck.drafts.state.getState().drafts.size).toBe(0));
  expect(foreign.writes()).toEqual([]);
});

test('a draft of a new deployment opens as a new deployment', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const draft = { newDeployment: '7' };
  deck.drafts.typed(draft, () => ({ text: 'name: mine\n', base: '', sentAt: 1000 }));
  await deck.drafts.flush();
  offerUnfinished(deck, noAnswers());
  const { overlay, message } = deck.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  expect(message?.text).toMatch(/A deployment was sent; no answer came\.$/);
  expect(overlay.question.options[1]).toMatchObject({
    label: 'Open new deployment',
    meaning: expect.stringMatching(/^sent, no answer, /),
  });
  setScreen(deck.screen, { overlay: undefined });
  overlay.question.answer(1);
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('editor'));
  const { document, file } = deck.editor.state.getState();
  expect(file).toBeUndefined();
  expect(document).toMatchObject({ kind: 'definition', title: 'new deployment' });
  expect(document?.text.text()).toBe('name: mine\n');
  expect(foreign.writes()).toEqual([]);
});

test('no box replaces an open one', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  deck.drafts.typed({ deploymentId: foreign.sample, ...place }, () => ({
    text: 'mine',
    base: undefined,
  }));
  const help = { kind: 'help', pane: 'files', text: '', caret: 0 } as const;
  setScreen(deck.screen, { overlay: help });
  offerUnfinished(deck, noAnswers());
  expect(deck.screen.getState().overlay).toEqual(help);
});

test('each deployment is offered once, without closed ones', async () => {
  const owed: PendingRestart[] = [];
  const entry = (deploymentId: string, file: string): PendingRestart => ({
    deploymentId,
    name: 'bazaar',
    files: [{ service: 'web', path: file }],
    state: 'counting',
    since: 1000,
  });
  await using open = await openDeck(
    {},
    ({ sample }) => void owed.push(entry(sample, 'a'), entry(sample, 'b')),
    { owed },
  );
  const { deck, foreign } = open;
  offerUnfinished(deck, noAnswers());
  const { message } = deck.screen.getState();
  expect(message?.text).toContain('1 restart of bazaar (2 files). Nothing was sent yet.');
  deck.restarts.forget(foreign.sample);
  deck.messages.say('');
  offerUnfinished(deck, noAnswers());
  expect(deck.screen.getState().message?.text).toBe('');
});

test('an answered draft is not offered again until it changes', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const answered = noAnswers();
  const at = (path: string) => ({ deploymentId: foreign.sample, service: 'web', path });
  deck.drafts.typed(at('old.txt'), () => ({ text: 'old', base: undefined }));
  await deck.drafts.flush();
  offerUnfinished(deck, answered);
  boxIn(deck).answer(0);
  setScreen(deck.screen, { overlay: undefined });
  deck.messages.say('');
  offerUnfinished(deck, answered);
  expect(deck.screen.getState()).toMatchObject({ overlay: undefined, message: { text: '' } });
  deck.drafts.typed(at('new.txt'), () => ({ text: 'new', base: undefined }));
  await deck.drafts.flush();
  offerUnfinished(deck, answered);
  expect(boxIn(deck).options.map(({ label }) => label)).toEqual([
    'Later',
    'Open new.txt',
    'Discard draft',
  ]);
  boxIn(deck).answer(0);
  setScreen(deck.screen, { overlay: undefined });
  const before = deck.drafts.state.getState();
  await waitFor(async () => {
    deck.drafts.typed(at('old.txt'), () => ({ text: 'old, changed', base: undefined }));
    await deck.drafts.flush();
    expect(deck.drafts.state.getState().drafts).not.toEqual(before.drafts);
  });
  offerUnfinished(deck, answered);
  expect(boxIn(deck).options[1]?.label).toBe('Open old.txt');
});

test('Discard moves the offered drafts of files to the trash, and u restores them', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const at = (path: string) => ({ deploymentId: foreign.sample, service: 'web', path });
  deck.drafts.typed(at('a.txt'), () => ({ text: 'a', base: undefined }));
  deck.drafts.typed(at('b.txt'), () => ({ text: 'b', base: undefined }));
  deck.drafts.typed({ newDeployment: '7' }, () => ({ text: 'name: mine', base: '' }));
  await deck.drafts.flush();
  offerUnfinished(deck, noAnswers());
  const question = boxIn(deck);
  setScreen(deck.screen, { overlay: undefined });
  expect(question.options.at(-1)?.label).toBe('Discard drafts');
  question.answer(question.options.length - 1);
  await said(deck, 'Discarded 2 drafts. u restores them.');
  const left = [...deck.drafts.state.getState().drafts.values()];
  expect(left).toMatchObject([{ newDeployment: '7' }]);
  expect((await openUndo(deck))[0]).toMatch(/^Discarded 2 drafts \| .* a\.txt/);
  press(deck, 'enter');
  await said(deck, 'Restored 2 drafts.');
  expect(deck.drafts.state.getState().drafts.size).toBe(3);
});
