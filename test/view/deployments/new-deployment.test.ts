import { expect, test } from 'vitest';
import { templateOf, templates, type Workload } from '../../../source/store/editor/templates.ts';
import { beginningChoices } from '../../../source/view/deployments/new-deployment.ts';
import { momentText } from '../../../source/view/text/unfinished.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { type OpenConsole, openConsole } from '../open-deck.ts';
import { boxOf, press, promptOf, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

function begin({ console }: OpenConsole, name: string): void {
  console.screen.setState({ focus: 'deployments' });
  press(console, 'a');
  expect(console.screen.getState().overlay?.kind).toBe('beginnings');
  console.screen.setState({ overlay: undefined });
  beginningChoices(console)
    .find((choice) => choice.name.startsWith(name))
    ?.choose();
}

async function edited({ console }: OpenConsole) {
  return waitFor(() => {
    const { document } = console.editor.state.getState();
    expect(console.screen.getState().main.kind).toBe('editor');
    if (document?.kind !== 'definition') throw new Error('no definition is open');
    return document;
  });
}

/** Begins with the template `web` and asks for its creation; gives what is asked back. */
async function askedToCreate(open: OpenConsole) {
  begin(open, 'web');
  await edited(open);
  press(open.console, 'ctrl+s');
  return await boxOf(open.console, 'create web?');
}

test('a template is no draft until it is typed in; then a goes on with it first', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const names = () => beginningChoices(console).map(({ name }) => name);
  expect(names()).toEqual(['web', 'worker', 'web and api', 'local file']);
  begin(open, 'worker');
  expect((await edited(open)).text.text()).toBe(templateOf('worker', 'image'));
  press(console, 'ctrl+q');
  expect(names()).toHaveLength(4);
  begin(open, 'web');
  await edited(open);
  type(console, '#');
  press(console, 'ctrl+q');
  await said(
    console,
    'The new deployment is not created: the draft is kept here, a goes on with it.',
  );
  expect(names()[0]).toMatch(/^draft of \d\d:\d\d$/);
  // Another one is begun beside it: the first is not lost for it.
  begin(open, 'worker');
  await edited(open);
  type(console, '#');
  press(console, 'ctrl+q');
  expect(names().filter((name) => name.startsWith('draft of'))).toHaveLength(2);
  begin(open, 'draft of');
  expect((await edited(open)).text.text()).toBe(`#${templateOf('worker', 'image')}`);
  expect(foreign.writes()).toEqual([]);
});

test('templates are offered by what the service runs: images, or commands of our own host', async () => {
  await using open = await openConsole();
  const { console } = open;
  const offered = (workloads: readonly Workload[] | undefined) => {
    const profile = { ...console.profile, workloads };
    return beginningChoices({ ...console, profile }).map(({ name }) => name);
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
  const own = { ...console, profile: { ...console.profile, workloads: ['command'] as const } };
  const [web] = beginningChoices(own);
  web?.choose();
  await waitFor(async () => expect((await edited(open)).text.text()).toBe(templates.web));
});

test('left after no answer came, it is not said that it was not created', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const sentAt = console.clock.now() - 3 * 86_400_000;
  console.drafts.typed({ newDeployment: '1' }, () => ({ text: 'a: 1\n', base: '', sentAt }));
  await console.drafts.flush();
  begin(open, 'draft of');
  await edited(open);
  // A time of day would be taken for one of today.
  await said(console, `Sent on ${momentText(sentAt, console.clock.now())}, no answer came`);
  press(console, 'ctrl+q');
  await said(
    console,
    'The new deployment may have been created: the draft is kept here, a goes on with it.',
  );
  expect(foreign.writes()).toEqual([]);
});

test('drafts are told apart by the names in them, also by the next console', async () => {
  const keeper = temporaryKept();
  await using open = await openConsole({}, () => {}, { kept: keeper });
  const { console } = open;
  for (const name of ['web', 'worker']) {
    begin(open, name);
    const { text } = await edited(open);
    press(console, 'ctrl+end');
    type(console, '#');
    expect(text.text()).toMatch(/#$/);
    press(console, 'ctrl+q');
    await console.drafts.flush();
  }
  const meanings = (of: OpenConsole) =>
    beginningChoices(of.console)
      .filter(({ name }) => name.startsWith('draft of'))
      .map(({ meaning }) => meaning);
  const expected = ['go on; not sent yet: worker', 'go on; not sent yet: web'];
  expect(meanings(open)).toEqual(expected);
  await using next = await openConsole({}, () => {}, { kept: keeper });
  await next.console.drafts.load();
  expect(meanings(next)).toEqual(expected);
});

test('unsaved text wants Esc twice, and ^R and ^T work in it', async () => {
  await using open = await openConsole();
  const { console } = open;
  begin(open, 'web');
  await edited(open);
  type(console, '#');
  press(console, 'ctrl+t');
  expect(console.screen.getState().main.kind).toBe('logs');
  press(console, 'ctrl+t');
  expect(console.screen.getState().main.kind).toBe('editor');
  press(console, 'ctrl+r');
  expect(console.screen.getState().overlay).toBeDefined();
  press(console, 'escape');
  press(console, 'escape');
  expect(console.screen.getState().main.kind).toBe('editor');
  press(console, 'escape');
  expect(console.screen.getState().main.kind).toBe('logs');
});

test('the box opens on what sends nothing, and says who pays with whole addresses', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const question = await askedToCreate(open);
  expect(question.options.map(({ label }) => label)).toEqual(['Keep editing', 'Create']);
  expect(question.lines.slice(0, 2)).toEqual(['Service: web (1 instance).', 'Price: 0.6 an hour.']);
  press(console, 'enter');
  expect(console.screen.getState()).toMatchObject({ overlay: undefined, main: { kind: 'editor' } });
  expect(foreign.writes()).toEqual([]);
});

test('created, its log is in front and the cursor on its row', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  await askedToCreate(open);
  press(console, 'down', 'enter');
  await said(console, 'Created web. This is its log.');
  const id = [...foreign.deployments.keys()].at(-1);
  expect(console.opened.getState().id).toBe(id);
  expect(console.screen.getState().main.kind).toBe('logs');
  await waitFor(() => expect(console.screen.getState().cursors.deployments.id).toBe(id));
  expect(foreign.writes()).toHaveLength(1);
});

test('whoever went elsewhere while it was sent stays there', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  await askedToCreate(open);
  press(console, 'down', 'enter', 'ctrl+q');
  await said(console, 'Created web.');
  expect(console.opened.getState().id).toBe(foreign.sample);
});

test('what is created comes under no cursor that was put elsewhere meanwhile', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  await askedToCreate(open);
  press(console, 'down', 'enter', 'ctrl+q');
  const before = console.screen.getState().cursors.deployments.id;
  await said(console, 'Created web.');
  await waitFor(() =>
    expect(console.deployments.list.state.getState().rows).toHaveLength(foreign.deployments.size),
  );
  await console.deployments.list.refresh();
  expect(console.screen.getState().cursors.deployments.id).toBe(before);
});

test('a file that is not opened leaves its path in the prompt', async () => {
  await using open = await openConsole();
  const { console } = open;
  begin(open, 'local file');
  expect(await promptOf(console, 'New deployment from file')).toBe('');
  type(console, '/no/such.yaml');
  press(console, 'enter');
  await said(console, '/no/such.yaml is not opened: there is no such file.');
  press(console, 'escape');
  begin(open, 'local file');
  expect(await promptOf(console, 'New deployment from file')).toBe('/no/such.yaml');
  press(console, 'escape');
  expect(console.screen.getState().overlay).toBeUndefined();
});

test('a draft that was taken back to its beginning is said to be gone', async () => {
  await using open = await openConsole();
  const { console } = open;
  begin(open, 'web');
  await edited(open);
  type(console, '#');
  press(console, 'ctrl+q');
  begin(open, 'draft of');
  await edited(open);
  await said(console, 'goes on');
  press(console, 'ctrl+z', 'ctrl+q');
  await said(console, 'The draft is given up: its text is as it began.');
});

test('A begins with what the service gives of the deployment under the cursor, or says why not', async () => {
  for (const sdl of ['listed', 'single'] as const) {
    await using open = await openConsole({ sdl });
    const { console, foreign } = open;
    console.screen.setState({ focus: 'deployments' });
    press(console, 'A');
    const { text } = await edited(open);
    expect(text.text()).toBe(foreign.deployments.get(foreign.sample)?.sdl);
  }
  await using open = await openConsole({ sdl: 'absent' });
  open.console.screen.setState({ focus: 'deployments' });
  press(open.console, 'A');
  await said(
    open.console,
    'The service does not give the definition of bazaar. a offers templates.',
  );
});
