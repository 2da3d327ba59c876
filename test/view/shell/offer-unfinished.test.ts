import { expect, test } from 'vitest';
import type { OwedRestart } from '../../../source/store/restarts/journal.ts';
import { editFile } from '../../../source/view/editor/commands.ts';
import { offerUnfinished } from '../../../source/view/shell/offer-unfinished.ts';
import { openConsole } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';

const place = { service: 'web', path: 'config/app.yaml' };

test('a draft is offered by its name, newest first, and Later leaves all of it', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const at = (path: string) => ({ deploymentId: foreign.sample, service: 'web', path });
  console.drafts.typed(at('old.txt'), () => ({ text: 'old', base: undefined }));
  await console.drafts.flush();
  await waitFor(() => {
    console.drafts.typed(at('config/app.yaml'), () => ({ text: 'new: 1\n', base: 'new: 0\n' }));
    const [first, second] = [...console.drafts.state.getState().drafts.values()];
    expect(first?.at).toBeLessThan(second?.at ?? 0);
  });
  offerUnfinished(console);
  const { overlay, message } = console.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  expect(message?.text).toMatch(/^Unfinished since .*: 2 drafts\. Nothing sent yet\.$/);
  const { options } = overlay.question;
  expect(options.map(({ label }) => label)).toEqual(['Later', 'Open app.yaml', 'Open old.txt']);
  expect(options[1]?.meaning).toContain('bazaar/web config/app.yaml');
  overlay.question.answer(0);
  expect(console.drafts.state.getState().drafts.size).toBe(2);
});

test('chosen, the draft is in the editor with its text, though nothing was sent', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const draft = { deploymentId: foreign.sample, ...place };
  console.drafts.typed(draft, () => ({ text: 'mine: 1\n', base: 'theirs: 0\n' }));
  offerUnfinished(console);
  const { overlay } = console.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  console.screen.setState({ overlay: undefined });
  overlay.question.answer(1);
  await waitFor(() => expect(console.screen.getState().main.kind).toBe('editor'));
  expect(console.editor.state.getState().file?.text.text()).toBe('mine: 1\n');
  expect(foreign.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a draft that is on the service already says that it may not be applied', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const draft = { deploymentId: foreign.sample, ...place };
  console.drafts.typed(draft, () => ({ text: 'mine: 1\n', base: 'theirs: 0\n' }));
  await console.drafts.flush();
  foreign.put(foreign.sample, place.service, place.path, 'mine: 1\n');
  await editFile(console, draft);
  expect(console.screen.getState().message?.text).toBe(
    'app.yaml is on the service as your draft had it. r restarts bazaar to apply it.',
  );
  await waitFor(() => expect(console.drafts.state.getState().drafts.size).toBe(0));
  expect(foreign.writes()).toEqual([]);
});

test('that of a new deployment opens as what it is', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const draft = { newDeployment: '7' };
  console.drafts.typed(draft, () => ({ text: 'name: mine\n', base: '', sentAt: 1000 }));
  await console.drafts.flush();
  offerUnfinished(console);
  const { overlay, message } = console.screen.getState();
  if (overlay?.kind !== 'question') throw new Error('there is no box');
  expect(message?.text).toMatch(/A deployment was sent, its answer not seen\.$/);
  expect(overlay.question.options[1]).toMatchObject({
    label: 'Open new deployment',
    meaning: expect.stringMatching(/^sent, no answer, /),
  });
  console.screen.setState({ overlay: undefined });
  overlay.question.answer(1);
  await waitFor(() => expect(console.screen.getState().main.kind).toBe('editor'));
  const { document, file } = console.editor.state.getState();
  expect(file).toBeUndefined();
  expect(document).toMatchObject({ kind: 'definition', title: 'new deployment' });
  expect(document?.text.text()).toBe('name: mine\n');
  expect(foreign.writes()).toEqual([]);
});

test('nothing is put over a box that is open already', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  console.drafts.typed({ deploymentId: foreign.sample, ...place }, () => ({
    text: 'mine',
    base: undefined,
  }));
  const help = { kind: 'help', pane: 'files', page: 0 } as const;
  console.screen.setState({ overlay: help });
  offerUnfinished(console);
  expect(console.screen.getState().overlay).toEqual(help);
});

test('each deployment is offered once, and none that was closed meanwhile', async () => {
  const owed: OwedRestart[] = [];
  const entry = (deploymentId: string, file: string): OwedRestart => ({
    deploymentId,
    name: 'bazaar',
    files: [{ service: 'web', path: file }],
    state: 'counting',
    since: 1000,
  });
  await using open = await openConsole(
    {},
    ({ sample }) => void owed.push(entry(sample, 'a'), entry(sample, 'b')),
    { owed },
  );
  const { console, foreign } = open;
  offerUnfinished(console);
  const { message } = console.screen.getState();
  expect(message?.text).toContain('1 restart of bazaar (2 files). Nothing sent yet.');
  console.restarts.forget(foreign.sample);
  console.say('');
  offerUnfinished(console);
  expect(console.screen.getState().message?.text).toBe('');
});
