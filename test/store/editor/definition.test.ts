import { expect, onTestFinished, test } from 'vitest';
import { templates } from '../../../source/store/editor/templates.ts';
import type { Meddling } from '../../servers/meddling-proxy.ts';
import { type ForeignOptions, startForeign } from '../../servers/foreign.ts';
import { type EditorWorld, startEditorWorld } from './editor-world.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { CreationOutcome, EditorDefinition } from '../../../source/store/editor/definition.ts';

const place = { newDeployment: '1' };
const look = { show: (cluster: string) => cluster, measure: (shown: string) => shown.length };

async function start(options: Partial<ForeignOptions> = {}) {
  const foreign = await startForeign(options);
  const world = await startEditorWorld({ baseUrl: foreign.baseUrl, token: foreign.token });
  onTestFinished(async () => {
    await world[Symbol.asyncDispose]();
    await foreign.close();
  });
  return { foreign, world };
}

async function compose({ editor }: EditorWorld, text: string = templates.web) {
  const opened = await editor.compose(place, look, async () => ({ ok: true, text }));
  if (opened.kind !== 'open') throw new Error(`it is ${opened.kind}`);
  return opened.definition;
}

const drafted = async ({ drafts }: EditorWorld) => (await drafts.read(place))?.text;
const problemLines = (definition: EditorDefinition) =>
  definition.problems().map(({ line }) => line);

test('the next console resumes the draft, and one undo restores the template', async () => {
  const { world } = await start();
  const definition = await compose(world);
  expect(await drafted(world)).toBeUndefined();
  world.type('# mine\n');
  expect(world.editor.state.getState().unsaved).toBe(true);
  expect(definition.isAsBegun()).toBe(false);
  await world.drafts.flush();
  const next = await world.reopened();
  const again = await compose(next, 'something else');
  expect(again.text.text()).toBe(`# mine\n${templates.web}`);
  expect(again.draftAt).toBeDefined();
  next.act((text) => text.run('undo'));
  expect(again.text.text()).toBe(templates.web);
  expect(again.isAsBegun()).toBe(true);
  expect(definition.sentAt()).toBeUndefined();
  await next[Symbol.asyncDispose]();
});

test('a creation is sent once and removes the draft', async () => {
  const { foreign, world } = await start();
  const definition = await compose(world);
  world.type('# mine\n');
  const outcome = await definition.create();
  expect(outcome).toMatchObject({ kind: 'created', typedOn: false });
  if (outcome.kind !== 'created') return;
  expect(foreign.deployments.get(outcome.deployment.id)?.sdl).toBe(`# mine\n${templates.web}`);
  expect(world.proxy.writes()).toHaveLength(1);
  await waitFor(async () => expect(await drafted(world)).toBeUndefined());
});

test('no second request is sent during a creation, and text typed meanwhile is kept', async () => {
  const { world } = await start();
  const definition = await compose(world);
  const { promise: seen, resolve: see } = Promise.withResolvers<void>();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  world.proxy.meddle = async ({ method }): Promise<Meddling> => {
    if (method !== 'POST') return 'pass';
    see();
    await gate;
    return 'pass';
  };
  const first = definition.create();
  await seen;
  expect(definition.busy()).toBe('creating');
  expect(await definition.create()).toEqual({ kind: 'under way' });
  // A second editor would not know about the request in flight.
  world.editor.close();
  expect(await compose(world)).toBe(definition);
  world.type('# later\n');
  open();
  expect(await first).toMatchObject({ kind: 'created', typedOn: true });
  expect(world.proxy.writes()).toHaveLength(1);
  expect(await drafted(world)).toBe(`# later\n${templates.web}`);
});

test('an untouched template is stored while its outcome is unknown', async () => {
  const { foreign, world } = await start();
  const before = foreign.deployments.size;
  const definition = await compose(world);
  world.proxy.meddle = ({ method }) =>
    method === 'POST' ? 'drop when the service has answered' : 'pass';
  expect(await definition.create()).toMatchObject({ kind: 'unknown' });
  expect(foreign.deployments.size).toBe(before + 1);
  expect(world.proxy.writes()).toHaveLength(1);
  expect(definition.sentAt()).toBeDefined();
  await world.drafts.flush();
  const next = await world.reopened();
  const again = await compose(next);
  expect(again.text.text()).toBe(templates.web);
  expect(again.sentAt()).toBe(definition.sentAt());
  await next.drafts.load();
  expect([...next.drafts.state.getState().drafts.values()]).toMatchObject([
    { ...place, sentAt: definition.sentAt() },
  ]);
  await next[Symbol.asyncDispose]();
});

test.each([401, 403, 429, 500, 503])(
  'refused with %i, the text stays as it was',
  async (status) => {
    const { world } = await start();
    const definition = await compose(world);
    world.type('# mine\n');
    world.proxy.meddle = ({ method }) => (method === 'POST' ? { status } : 'pass');
    expect(await definition.create()).toMatchObject({ kind: 'refused', error: { status } });
    expect(definition.sentAt()).toBeUndefined();
    expect(await drafted(world)).toBe(`# mine\n${templates.web}`);
    expect(world.proxy.writes()).toHaveLength(1);
  },
);

test('after a refusal, an untouched template is no draft', async () => {
  const { world } = await start();
  const definition = await compose(world);
  world.proxy.meddle = ({ method }) => (method === 'POST' ? { status: 503 } : 'pass');
  expect(await definition.create()).toMatchObject({ kind: 'refused' });
  expect(definition.text.text()).toBe(templates.web);
  expect(world.editor.state.getState().unsaved).toBe(false);
  expect(await drafted(world)).toBeUndefined();
});

test('after a refusal of a closed editor, an untouched template is kept as a draft', async () => {
  const { world } = await start();
  const definition = await compose(world);
  world.proxy.meddle = ({ method }) => (method === 'POST' ? { status: 503 } : 'pass');
  const sent = definition.create();
  world.editor.close();
  expect(await sent).toMatchObject({ kind: 'refused' });
  await world.drafts.flush();
  expect(await drafted(world)).toBe(templates.web);
  const next = await world.reopened();
  expect((await compose(next, 'something else')).sentAt()).toBeUndefined();
  await next[Symbol.asyncDispose]();
});

test('opening it again during a creation returns the same editor', async () => {
  const { world } = await start();
  const definition = await compose(world);
  const sent = definition.create();
  world.editor.close();
  expect(await compose(world)).toBe(definition);
  expect(await definition.create()).toEqual({ kind: 'under way' });
  expect(await sent).toMatchObject({ kind: 'created' });
  world.editor.close();
  expect(await compose(world)).not.toBe(definition);
});

test('a reading includes the last keys', async () => {
  const { world } = await start();
  const definition = await compose(world);
  world.act((edited) => edited.replaceText(templates.web.replace('"2.0"', '"9"')));
  expect(problemLines(definition)).toEqual([]);
  definition.reading();
  expect(problemLines(definition)).toEqual([2]);
});

test('the cursor moves to the line that the service names, and an edit clears its mark', async () => {
  const { world } = await start();
  const definition = await compose(world, 'services:\n  web: {}\n  bad: a: b\n');
  const outcome: CreationOutcome = await definition.create();
  expect(outcome).toMatchObject({ kind: 'refused', error: { errorDetails: [{ line: 3 }] } });
  expect(definition.text.cursorPosition().line).toBe(3);
  const said = () => definition.problems().find(({ line }) => line === 3)?.sentence ?? '';
  expect(said()).toMatch(/^The service: /);
  world.type(' ');
  expect(said()).not.toMatch(/^The service: /);
});

test('a YAML error is one problem, without consequential ones', async () => {
  const { world } = await start();
  const definition = await compose(world, templates.web.replace('["node"]', '["node"'));
  await world.pass(1000);
  expect(problemLines(definition)).toEqual([8]);
});

test('a definition too long to parse is checked as YAML', async () => {
  const { world } = await start();
  const definition = await compose(world, `a: [1\n${'# filler\n'.repeat(40_000)}`);
  expect(definition.reading()).toBeUndefined();
  await waitFor(async () => {
    await world.pass(1000);
    expect(problemLines(definition)).toContain(1);
  });
});

test('problems are marked after a pause in typing, and F8 steps through them', async () => {
  const { world } = await start();
  const definition = await compose(world);
  expect(problemLines(definition)).toEqual([]);
  const text = definition.text.text().replace('version: "2.0"', 'version: "9"');
  world.act((edited) => edited.replaceText(text));
  const changed = world.editor.state.getState().revision;
  await world.pass(200);
  expect(world.editor.state.getState().revision).toBeGreaterThan(changed);
  expect(problemLines(definition)).toEqual([2]);
  expect(definition.nextProblem()?.line).toBe(2);
  expect(definition.reading()?.name).toBe('web');
});
