import { expect, test } from 'vitest';
import type { PendingRestart } from '../../../source/store/restarts/journal.ts';
import { editFile } from '../../../source/view/editor/document.ts';
import { offerUnfinished } from '../../../source/view/shell/offer-unfinished.ts';
import { openDeck } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

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
  offerUnfinished(deck);
  const { overlay, message } = deck.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  expect(message?.text).toMatch(/^Unfinished since .*: 2 drafts\. Nothing was sent yet\.$/);
  const { options } = overlay.question;
  expect(options.map(({ label }) => label)).toEqual(['Later', 'Open app.yaml', 'Open old.txt']);
  expect(options[1]?.meaning).toContain('bazaar/web config/app.yaml');
  overlay.question.answer(0);
  expect(deck.drafts.state.getState().drafts.size).toBe(2);
});

test('a chosen draft opens in the editor without a request', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const draft = { deploymentId: foreign.sample, ...place };
  deck.drafts.typed(draft, () => ({ text: 'mine: 1\n', base: 'theirs: 0\n' }));
  offerUnfinished(deck);
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
  offerUnfinished(deck);
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
  offerUnfinished(deck);
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
  offerUnfinished(deck);
  const { message } = deck.screen.getState();
  expect(message?.text).toContain('1 restart of bazaar (2 files). Nothing was sent yet.');
  deck.restarts.forget(foreign.sample);
  deck.messages.say('');
  offerUnfinished(deck);
  expect(deck.screen.getState().message?.text).toBe('');
});
