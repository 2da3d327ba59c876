const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you are not allowed to',
  EPERM: 'you are not allowed to',
  EISDIR: 'it is a folder',
  ENOTEMPTY: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'its name is too long',
};

/** Why a local file could not be read or written, for a person: what follows "Cannot read X: ". */
export function localReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}
