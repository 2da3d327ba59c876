import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { routePath } from '../../../source/contract/routes.ts';
import { deploy } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { formOf, idle, sdlOf } from '../../host/support/temporary-host.ts';
import { startForeign } from '../../servers/foreign.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type AnyFile, filesOf } from '../files/any-file.ts';
import { type EditorWorld, startEditorWorld } from '../editor/editor-world.ts';

const seed = 20_261_121;
const files = filesOf(seed, 64);

/** Changes a text at one end or the other, and takes it back. */
async function editThereAndBack(world: EditorWorld, at: 'document-start' | 'document-end') {
  world.act((text) => text.run(at));
  world.type('x');
  await world.editor.save();
  world.act((text) => text.run('backspace'));
  await world.editor.save();
}

interface Stored {
  readonly deploymentId: string;
  readonly bytesOf: (path: string) => Promise<Buffer | undefined>;
}

/** Everything a file goes through in an editor without being changed in the end. */
async function roundTrip(
  world: EditorWorld,
  { path, bytes, isText }: AnyFile,
  { deploymentId, bytesOf }: Stored,
): Promise<string | undefined> {
  const writes = () => world.proxy.writes().length;
  const before = writes();
  const same = async (when: string): Promise<void> => {
    expect((await bytesOf(path))?.equals(bytes), `${path} ${when}`).toBe(true);
  };
  const refused = await world.open({ deploymentId, service: 'web', path });
  if (refused !== undefined) {
    await same('refused');
    expect(writes(), path).toBe(before);
    return refused;
  }
  expect(isText, path).toBe(true);
  await world.editor.save();
  world.type('x');
  world.act((text) => text.run('backspace'));
  await world.editor.save();
  expect(writes(), `${path} untouched`).toBe(before);
  expect(world.editor.state.getState().unsaved, path).toBe(false);
  await same('untouched');
  await editThereAndBack(world, bytes.length % 2 === 0 ? 'document-start' : 'document-end');
  await same('changed and changed back');
  expect(writes(), `${path} changed and changed back`).toBe(before + 2);
  world.editor.close();
  return undefined;
}

const shapes = ['raw', 'envelope', 'bare-envelope', 'base64'] as const;

describe('files in the editor', () => {
  const host = sharedHost();
  const owner = host.as('0xowner');
  let deploymentId: string;

  beforeAll(async () => {
    ({ id: deploymentId } = await deploy(owner, sdlOf({ web: idle })));
    const contents = Object.fromEntries(files.map(({ path, bytes }) => [path, bytes]));
    const form = formOf(contents);
    const answer = await owner.call('uploadFiles', { id: deploymentId, name: 'web', form });
    expect(answer.status).toBe(200);
  });

  /** The bytes as they are, not read by any code of ours. */
  async function bytesOf(path: string): Promise<Buffer | undefined> {
    const url = new URL(
      routePath('getFile', { id: deploymentId, name: 'web', path }),
      host.host.baseUrl,
    );
    const accept = 'application/octet-stream';
    const headers = { accept, authorization: `Bearer ${owner.token}` };
    const answer = await fetch(url, { headers });
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
  }

  it.concurrent('keep their bytes on our host, and are sent only when changed', async (context) => {
    const state = temporaryFolder(context);
    const { baseUrl } = host.host;
    await using world = await startEditorWorld({ token: owner.token, baseUrl, state });
    for (const file of files) {
      const refused = await roundTrip(world, file, { deploymentId, bytesOf });
      expect(refused !== undefined, `${file.path}: ${refused}`).toBe(!file.isText);
      if (refused !== undefined) expect(refused).toMatch("is binary and can't be edited");
    }
  });

  it.concurrent.for(shapes)(
    'keep their bytes on a service that answers %s',
    async (content, context) => {
      const service = await startForeign({ content, largestFile: 16 * 1024 * 1024 });
      context.onTestFinished(() => service.close());
      const { sample } = service;
      // Each shape gets a quarter of the files; all of them go through our host.
      const quarter = shapes.indexOf(content);
      const chosen = files.filter((_file, index) => index % shapes.length === quarter);
      for (const { path, bytes } of chosen) {
        service.put(sample, 'web', path, Buffer.from(bytes));
      }
      const state = temporaryFolder(context);
      await using world = await startEditorWorld({ ...service, state });
      const storedBytes = async (path: string) => service.stored(sample, 'web', path);
      // Bytes that are no text were lost where they stand in a text: what looks so is not edited.
      const loses = content === 'envelope' || content === 'bare-envelope';
      for (const file of chosen) {
        const refused = await roundTrip(world, file, {
          deploymentId: sample,
          bytesOf: storedBytes,
        });
        const isSure = !loses || !Buffer.from(file.bytes).toString().includes('\u{fffd}');
        expect(refused === undefined, file.path).toBe(file.isText && isSure);
      }
    },
  );
});

describe.each(shapes)('a JSON file that is read first on a service that answers %s', (content) => {
  const path = 'flags.json';
  it.each([
    [{ content: 'inside' }],
    [{ path, content: 'inside' }],
    [{ file: { content: 'inside' } }],
    [{ data: { file: { path, content: 'inside' } } }],
    [{ success: false, error: 'gone' }],
  ])('comes back as it was: %j', async (json) => {
    const service = await startForeign({ content });
    onTestFinished(() => service.close());
    const { sample } = service;
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(json)));
    service.put(sample, 'web', path, Buffer.from(bytes));
    await using world = await startEditorWorld(service);
    const bytesOf = async () => service.stored(sample, 'web', path);
    const stored = { deploymentId: sample, bytesOf };
    expect(await roundTrip(world, { path, bytes, isText: true }, stored)).toBeUndefined();
  });
});
