import { expect, test } from 'vitest';
import { templateOf, templates, type ServiceKind } from '../../../source/store/editor/templates.ts';
import { templateMenu } from '../../../source/view/deployments/new-deployment.ts';
import { shortDateText } from '../../../source/view/text/unfinished.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { type OpenDeck, openDeck } from '../open-deck.ts';
import { boxOf, press, promptOf, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

function begin({ deck }: OpenDeck, name: string): void {
  setScreen(deck.screen, { focus: 'deployments' });
  press(deck, 'a');
  expect(deck.screen.getState().overlay?.kind).toBe('menu');
  setScreen(deck.screen, { overlay: undefined });
  templateMenu(deck)
    .items()
    .find(({ label }) => label.startsWith(name))
    ?.choose();
}

async function edited({ deck }: OpenDeck) {
  return waitFor(() => {
    const { document } = deck.editor.state.getState();
    expect(deck.screen.getState().main.kind).toBe('editor');
    if (document?.kind !== 'definition') throw new Error('no definition is open');
    return document;
  });
}

/** Begins with the template `web` and asks for its creation; gives what is asked back. */
async function askedToCreate(open: OpenDeck) {
  begin(open, 'web');
  await edited(open);
  press(open.deck, 'ctrl+s');
  return await boxOf(open.deck, 'create web?');
}

test('a template becomes a draft when it is edited; then a offers it first', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const names = () =>
    templateMenu(deck)
      .items()
      .map(({ label }) => label);
  expect(names()).toEqual(['web', 'worker', 'web and api', 'local file']);
  begin(open, 'worker');
  expect((await edited(open)).text.text()).toBe(templateOf('worker', 'image'));
  press(deck, 'ctrl+q');
  expect(names()).toHaveLength(4);
  begin(open, 'web');
  await edited(open);
  type(deck, '#');
  press(deck, 'ctrl+q');
  await said(deck, 'The new deployment is not created. Draft kept; a opens it.');
  expect(names()[0]).toMatch(/^draft of \d\d:\d\d$/);
  // Another one is begun beside it: the first is not lost for it.
  begin(open, 'worker');
  await edited(open);
  type(deck, '#');
  press(deck, 'ctrl+q');
  expect(names().filter((name) => name.startsWith('draft of'))).toHaveLength(2);
  begin(open, 'draft of');
  expect((await edited(open)).text.text()).toBe(`#${templateOf('worker', 'image')}`);
  expect(foreign.writes()).toEqual([]);
});

test('templates follow the workloads of the service: images, or commands of our own host', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const offered = (workloads: readonly ServiceKind[] | undefined) => {
    const profile = { ...deck.profile, workloads };
    return templateMenu({ ...deck, profile })
      .items()
      .map(({ label }) => label);
  };
  const names = ['web', 'worker', 'web and api'];
  expect(offered(undefined)).toEqual([...names, 'local file']);
  expect(offered(['command'])).toEqual([...names, 'local file']);
  expect(offered(['command', 'image'])).toEqual([
    ...names,
    ...names.map((name) => `${name}, image`),
    'local file',
  ]);
  begin(open, 'web');
  expect((await edited(open)).text.text()).toContain('image: node:24');
  const own = { ...deck, profile: { ...deck.profile, workloads: ['command'] as const } };
  const [web] = templateMenu(own).items();
  web?.choose();
  await waitFor(async () => expect((await edited(open)).text.text()).toBe(templates.web));
});

test('without an answer, no message claims that the deployment was not created', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const sentAt = deck.clock.now() - 3 * 86_400_000;
  deck.drafts.typed({ newDeployment: '1' }, () => ({ text: 'a: 1\n', base: '', sentAt }));
  await deck.drafts.flush();
  begin(open, 'draft of');
  await edited(open);
  // A time of day would be taken for one of today.
  await said(deck, `Sent on ${shortDateText(sentAt, deck.clock.now())}, but no answer came`);
  press(deck, 'ctrl+q');
  await said(deck, 'The new deployment may have been created. Draft kept; a opens it.');
  expect(foreign.writes()).toEqual([]);
});

test('the picker names drafts by the deployment in them, also after a restart of the console', async () => {
  const keeper = temporaryKept();
  await using open = await openDeck({}, () => {}, { kept: keeper });
  const { deck } = open;
  for (const name of ['web', 'worker']) {
    begin(open, name);
    const { text } = await edited(open);
    press(deck, 'ctrl+end');
    type(deck, '#');
    expect(text.text()).toMatch(/#$/);
    press(deck, 'ctrl+q');
    await deck.drafts.flush();
  }
  const meanings = (of: OpenDeck) =>
    templateMenu(of.deck)
      .items()
      .filter(({ label }) => label.startsWith('draft of'))
      .map(({ meaning }) => meaning);
  const expected = ['continue; not sent yet: worker', 'continue; not sent yet: web'];
  expect(meanings(open)).toEqual(expected);
  await using next = await openDeck({}, () => {}, { kept: keeper });
  await next.deck.drafts.load();
  expect(meanings(next)).toEqual(expected);
});

test('unsaved text needs Esc twice, and ^R and ^T work in it', async () => {
  await using open = await openDeck();
  const { deck } = open;
  begin(open, 'web');
  await edited(open);
  type(deck, '#');
  press(deck, 'ctrl+t');
  expect(deck.screen.getState().main.kind).toBe('logs');
  press(deck, 'ctrl+t');
  expect(deck.screen.getState().main.kind).toBe('editor');
  press(deck, 'ctrl+r');
  expect(deck.screen.getState().overlay).toBeDefined();
  press(deck, 'escape');
  press(deck, 'escape');
  expect(deck.screen.getState().main.kind).toBe('editor');
  press(deck, 'escape');
  expect(deck.screen.getState().main.kind).toBe('logs');
});

test('the box opens on Cancel and names the services and the price of the SDL', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const question = await askedToCreate(open);
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Create']);
  expect(question.lines.slice(0, 2)).toMatchObject([
    { label: 'Services', values: [expect.stringMatching(/^web, 1 instance, /)] },
    { label: 'SDL price', values: ['0.6 an hour, 14.4 a day'] },
  ]);
  press(deck, 'enter');
  expect(deck.screen.getState()).toMatchObject({ overlay: undefined, main: { kind: 'editor' } });
  expect(foreign.writes()).toEqual([]);
});

test('after creation, the log is open and the cursor on the new row', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  await askedToCreate(open);
  press(deck, 'down', 'enter');
  await said(deck, 'Created web. This is its log.');
  const id = [...foreign.deployments.keys()].at(-1);
  expect(deck.opened.getState().id).toBe(id);
  expect(deck.screen.getState().main.kind).toBe('logs');
  await waitFor(() => expect(deck.screen.getState().cursors.deployments.id).toBe(id));
  expect(foreign.writes()).toHaveLength(1);
});

test('a creation does not move the focus of a person who went elsewhere', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  await askedToCreate(open);
  press(deck, 'down', 'enter', 'ctrl+q');
  await said(deck, 'Created web.');
  expect(deck.opened.getState().id).toBe(foreign.sample);
});

test('a creation does not move a cursor that was moved meanwhile', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  await askedToCreate(open);
  press(deck, 'down', 'enter', 'ctrl+q');
  const before = deck.screen.getState().cursors.deployments.id;
  await said(deck, 'Created web.');
  await waitFor(() =>
    expect(deck.deployments.list.state.getState().rows).toHaveLength(foreign.deployments.size),
  );
  await deck.deployments.list.refresh();
  expect(deck.screen.getState().cursors.deployments.id).toBe(before);
});

test('a file that cannot be opened leaves its path in the prompt', async () => {
  await using open = await openDeck();
  const { deck } = open;
  begin(open, 'local file');
  expect(await promptOf(deck, 'New deployment from file')).toBe('');
  type(deck, '/no/such.yaml');
  press(deck, 'enter');
  await said(deck, "Can't open /no/such.yaml: no such file.");
  press(deck, 'escape');
  begin(open, 'local file');
  expect(await promptOf(deck, 'New deployment from file')).toBe('/no/such.yaml');
  press(deck, 'escape');
  expect(deck.screen.getState().overlay).toBeUndefined();
});

test('a draft that was undone to its template no longer exists', async () => {
  await using open = await openDeck();
  const { deck } = open;
  begin(open, 'web');
  await edited(open);
  type(deck, '#');
  press(deck, 'ctrl+q');
  begin(open, 'draft of');
  await edited(open);
  await said(deck, 'Draft of');
  press(deck, 'ctrl+z', 'ctrl+q');
  await said(deck, 'Draft discarded: its text was back to the template.');
});

test('A opens the definition of the deployment under the cursor, or says why it cannot', async () => {
  for (const sdl of ['listed', 'single'] as const) {
    await using open = await openDeck({ sdl });
    const { deck, foreign } = open;
    setScreen(deck.screen, { focus: 'deployments' });
    press(deck, 'A');
    const { text } = await edited(open);
    expect(text.text()).toBe(foreign.deployments.get(foreign.sample)?.sdl);
  }
  await using open = await openDeck({ sdl: 'absent' });
  setScreen(open.deck.screen, { focus: 'deployments' });
  press(open.deck, 'A');
  await said(open.deck, 'The service sent no definition of bazaar. a offers templates.');
});

test('A takes the marked deployment, and refuses several', async () => {
  await using open = await openDeck({ sdl: 'listed' }, (started) =>
    createDeployment(started, 'second'),
  );
  const { deck, foreign } = open;
  setScreen(deck.screen, { focus: 'deployments' });
  const [first = '', second = ''] = deck.lists.deployments.ids();
  const mark = (...ids: string[]) =>
    setScreen(deck.screen, { focus: 'deployments', deploymentMarks: new Set(ids) });
  mark(first, second);
  press(deck, 'A');
  await said(deck, '2 deployments are marked; A takes one. Space unmarks.');
  expect(deck.editor.state.getState().opening).toBeUndefined();
  mark(second);
  expect(deck.lists.deployments.idUnderCursor()).toBe(first);
  press(deck, 'A');
  const { text } = await edited(open);
  expect(text.text()).toBe(foreign.deployments.get(second)?.sdl);
});
