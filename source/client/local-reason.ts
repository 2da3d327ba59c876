const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTEMPTY: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the name is too long',
};

const noUtf8Name = 'no such file, or its name is not UTF-8';

/** Returns the reason for a local file error, to follow "Can't read X: " in a message. */
export function describeLocalError(error: unknown): string {
  const { code, message, path } = error as NodeJS.ErrnoException;
  // Node decodes names of other encodings with replacement characters, and such a name opens nothing.
  if (code === 'ENOENT' && path?.includes('\u{fffd}') === true) return noUtf8Name;
  return reasons[code ?? ''] ?? message;
}
