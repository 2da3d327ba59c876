import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { EngineError } from './engine-error.ts';

export type ArchiveHeader = ParsedTarEntry['header'];

/** Characters of a name that was not UTF-8. */
const replacement = '\uFFFD';

/** Types of entries that a volume keeps; the engine can't create devices without rights. */
const types: ReadonlySet<unknown> = new Set([
  undefined,
  'file',
  'directory',
  'symlink',
  'link',
  'fifo',
]);

/**
 * Yields the entries of an engine's archive of a folder (`ContainerArchive`) with names below `./`,
 * the folder itself first. Docker puts them below the folder's own name, Podman 4 below `/`. Throws
 * for any other archive, and for one that is cut.
 *
 * @param onSkipped called for each entry that another volume can't have: a device, and a name that is
 * not UTF-8.
 */
export async function* folderEntries(
  archive: AsyncIterable<Uint8Array>,
  onSkipped: () => void,
): AsyncGenerator<ParsedTarEntry> {
  const entries = ReadableStream.from(archive).pipeThrough(createTarDecoder({ strict: true }));
  let outer: number | undefined;
  for await (const { header, body } of entries) {
    const segments = segmentsOf(header.name);
    if (outer === undefined) {
      if (header.type !== 'directory' || segments.length > 1) throw unexpected();
      outer = segments.length;
    }
    const own = relativeHeader(header, outer);
    if (own === undefined) {
      await body.cancel();
      onSkipped();
    } else yield { header: own, body };
  }
  if (outer === undefined) throw unexpected();
}

/** Returns true when an archive of {@link folderEntries} tells the owner of any entry. */
export async function tellsOwners(archive: AsyncIterable<Uint8Array>): Promise<boolean> {
  let isTold = false;
  for await (const { header, body } of folderEntries(archive, () => undefined)) {
    await body.cancel();
    isTold ||= (header.uid ?? 0) !== 0 || (header.gid ?? 0) !== 0;
  }
  return isTold;
}

/** Returns a header with names below `./`; undefined for an entry that is skipped. */
function relativeHeader(header: ArchiveHeader, outer: number): ArchiveHeader | undefined {
  const { name, type, linkname, size, mode, mtime, uid, gid } = header;
  if (!types.has(type) || name.includes(replacement) || linkname?.includes(replacement) === true) {
    return undefined;
  }
  const relative = relativeName(name, outer);
  return {
    name: type === 'directory' ? `${relative}/` : relative,
    size,
    ...(type === undefined ? {} : { type }),
    ...(mode === undefined ? {} : { mode }),
    ...(mtime === undefined ? {} : { mtime }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
    // The target of a symbolic link is any text, that of a hard link an entry.
    ...(linkname === undefined
      ? {}
      : { linkname: type === 'link' ? relativeName(linkname, outer) : linkname }),
  };
}

function relativeName(name: string, outer: number): string {
  const segments = segmentsOf(name);
  if (segments.length < outer) throw unexpected();
  return ['.', ...segments.slice(outer)].join('/');
}

function segmentsOf(name: string): readonly string[] {
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw unexpected();
  return segments;
}

function unexpected(): EngineError {
  return new EngineError("the container engine's answer to ContainerArchive is not valid");
}
