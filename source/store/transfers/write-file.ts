import type { LocalFiles } from './local-files.ts';

/** Writes the whole of a local file. Resolves with the reason where it can't be written. */
export async function writeLocalFile(
  { begin }: Pick<LocalFiles, 'begin'>,
  { file, replaces }: { readonly file: string; readonly replaces: boolean },
  content: Uint8Array,
): Promise<string | undefined> {
  const begun = await begin(file, replaces);
  if (!begun.ok) return begun.reason;
  const written = await begun.writing.write(content);
  if (!written.ok) {
    await begun.writing.discard();
    return written.reason;
  }
  const finished = await begun.writing.finish();
  return finished.ok ? undefined : finished.reason;
}
