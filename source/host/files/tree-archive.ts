import { createTarPacker } from 'modern-tar';
import { Folder } from './folder.ts';
import { packFolder, packedChunkBytes, type Packer } from './tree-packing.ts';

/**
 * Packs a tree of files as a tar archive in chunks: all entries below a folder `name`. Links and
 * special files are skipped; no link is followed, not even one created meanwhile. Throws when the
 * tree is missing or a file shrinks while it is read.
 *
 * @param hidden paths in the archive of entries that are left out.
 */
export async function* archiveTree(
  root: string,
  name: string,
  hidden?: ReadonlySet<string>,
): AsyncGenerator<Uint8Array> {
  yield* packArchive(async (packer) => {
    await using folder = await Folder.open(root);
    if (!(folder instanceof Folder)) throw new Error('its folder is missing');
    await packFolder(packer, folder, name, { kind: 'exact', hidden });
  });
}

/** Yields the tar archive that `pack` fills. Throws its errors, with a sentence for system errors. */
export async function* packArchive(
  pack: (packer: Packer) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const fill = async () => {
    await pack(controller);
    controller.finalize();
  };
  const packed = fill().catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    // A bare code would read like an error of the engine.
    controller.error(code === undefined ? error : new Error(`the host can't read them (${code})`));
  });
  try {
    yield* joinChunks(readable);
  } finally {
    // File handles are closed then, also when the reader has cancelled the stream.
    await packed;
  }
}

/** Joins small chunks, such as a header and a small file, as each chunk costs a write. */
async function* joinChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let buffered: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    buffered.push(chunk);
    bytes += chunk.length;
    if (bytes < packedChunkBytes) continue;
    yield buffered.length === 1 ? chunk : Buffer.concat(buffered);
    buffered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(buffered);
}
