import { createTarPacker } from 'modern-tar';
import { array, assert, asyncProperty, integer, record, string, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArchiveHeader,
  folderEntries,
  tellsOwners,
} from '../../../source/host/engine/volume-archive.ts';

type Entry = Partial<ArchiveHeader> & { readonly name: string; readonly content?: string };

/** Packs entries as an engine sends them, in chunks of any size. */
async function* packed(entries: readonly Entry[], chunkBytes = 700): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const filled = (async () => {
    for (const { content = '', ...header } of entries) {
      const bytes = Buffer.from(content);
      const writer = controller.add({ size: bytes.length, ...header }).getWriter();
      if (bytes.length > 0) await writer.write(bytes);
      await writer.close();
    }
    controller.finalize();
  })();
  const all = Buffer.from(await new Response(readable).arrayBuffer());
  await filled;
  for (let at = 0; at < all.length; at += chunkBytes) yield all.subarray(at, at + chunkBytes);
}

async function read(archive: AsyncIterable<Uint8Array>) {
  let skipped = 0;
  const entries: Entry[] = [];
  const found = folderEntries(archive, () => {
    skipped += 1;
  });
  for await (const { header, body } of found) {
    const content = await new Response(body).text();
    const { name, linkname, mode, uid } = header;
    entries.push({ name, content, ...(linkname ? { linkname } : {}), mode, uid });
  }
  return { entries, skipped };
}

const shapes = [
  { engine: 'Docker', root: 'hostdeck-volume/', at: (name: string) => `hostdeck-volume/${name}` },
  { engine: 'Podman 4', root: '/', at: (name: string) => `/${name}` },
  { engine: 'an engine with dots', root: './', at: (name: string) => `./${name}` },
];

describe.each(shapes)('the archive of a volume from $engine', ({ root, at }) => {
  it('has the folder, its files and its links below a dot', async () => {
    const { entries, skipped } = await read(
      packed([
        { name: root, type: 'directory', mode: 0o700, uid: 999 },
        { name: at('a'), content: 'x'.repeat(3000), mode: 0o4755, uid: 5 },
        { name: at('hostdeck-volume/'), type: 'directory', mode: 0o1777 },
        { name: at('twin'), type: 'link', linkname: at('a') },
        { name: at('soft'), type: 'symlink', linkname: '../../etc/passwd' },
        { name: at('pipe'), type: 'fifo' },
      ]),
    );
    expect(skipped).toBe(0);
    expect(entries.map(({ name, linkname }) => [name, linkname])).toEqual([
      ['./', undefined],
      ['./a', undefined],
      ['./hostdeck-volume/', undefined],
      ['./twin', './a'],
      ['./soft', '../../etc/passwd'],
      ['./pipe', undefined],
    ]);
    expect(entries[0]).toMatchObject({ mode: 0o700, uid: 999 });
    expect(entries[1]).toMatchObject({ content: 'x'.repeat(3000), mode: 0o4755, uid: 5 });
  });

  it('lacks devices and names that are not UTF-8, and says so', async () => {
    const { entries, skipped } = await read(
      packed([
        { name: root, type: 'directory' },
        { name: at('tty'), type: 'character-device' },
        { name: at('disk'), type: 'block-device' },
        { name: at('\uFFFD'), content: 'x' },
        { name: at('last'), content: 'y' },
      ]),
    );
    expect(entries.map(({ name }) => name)).toEqual(['./', './last']);
    expect(skipped).toBe(3);
  });

  it('is the same after any number of copies', async () => {
    const segment = stringMatching(/^[\w .äß]{1,120}$/).filter((each) => each.trim() === each);
    const name = array(
      segment.filter((each) => !/^\.+$/.test(each)),
      { minLength: 1, maxLength: 4 },
    );
    const file = record({ path: name, content: string({ maxLength: 2000 }) });
    await assert(
      asyncProperty(array(file), integer({ min: 1, max: 2000 }), async (files, bytes) => {
        const first = await read(
          packed(
            [
              { name: root, type: 'directory', mode: 0o755, uid: 0 },
              ...files.map((each) => ({ name: at(each.path.join('/')), content: each.content })),
            ],
            bytes,
          ),
        );
        expect(first.entries.map(({ name: found, content }) => [found, content])).toEqual([
          ['./', ''],
          ...files.map((each) => [`./${each.path.join('/')}`, each.content]),
        ]);
        const second = await read(
          packed(
            first.entries.map((each) =>
              each.name.endsWith('/') ? { ...each, type: 'directory' as const } : each,
            ),
            bytes,
          ),
        );
        expect(second).toEqual(first);
      }),
    );
  });

  it.each([
    { name: at('../outside'), content: 'x' },
    { name: at('twin'), type: 'link' as const, linkname: at('../../outside') },
  ])('is refused with the entry $name', async (entry) => {
    const archive = packed([{ name: root, type: 'directory' }, entry]);
    await expect(read(archive)).rejects.toThrow('ContainerArchive is not valid');
  });

  it('tells owners when an entry has one', async () => {
    const file = { name: at('a'), content: 'x' };
    const folder = { name: root, type: 'directory' as const, uid: 0, gid: 0 };
    expect(await tellsOwners(packed([folder, file]))).toBe(false);
    expect(await tellsOwners(packed([folder, { ...file, gid: 7 }]))).toBe(true);
    expect(await tellsOwners(packed([folder, { ...file, uid: 3_000_000 }, file]))).toBe(true);
  });
});

it('an archive that is not of a folder, empty or cut is refused', async () => {
  await expect(read(packed([{ name: 'file', content: 'x' }]))).rejects.toThrow('not valid');
  await expect(read(packed([]))).rejects.toThrow('not valid');
  const entries = [
    { name: '/', type: 'directory' as const },
    { name: '/a', content: 'x'.repeat(5000) },
  ];
  async function* cut() {
    let left = 3;
    for await (const chunk of packed(entries)) if (left-- > 0) yield chunk;
  }
  await expect(read(cut())).rejects.toThrow();
  async function* broken() {
    yield* cut();
    throw new Error('the engine is gone');
  }
  await expect(read(broken())).rejects.toThrow('the engine is gone');
});
