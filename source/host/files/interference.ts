import { statSync } from 'node:fs';
import path from 'node:path';
import { conflict } from '../refusal.ts';
import { hasErrorCode } from './missing.ts';

/** Error codes when another process removed or replaced a file or folder meanwhile. */
const interferenceCodes = [
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENOTEMPTY',
  'EEXIST',
  'ELOOP',
  'EACCES',
  'EPERM',
];

/**
 * Returns a 409 when another process interfered with the files of a deployment, else the error
 * itself.
 *
 * @param folder folder of the deployment, with its staged files.
 */
export function refusalOfInterference(error: unknown, folder: string): unknown {
  const isInterference = hasErrorCode(error, ...interferenceCodes);
  const staged = path.join(folder, 'staged');
  const isOwnFolderIntact = statSync(staged, { throwIfNoEntry: false })?.isDirectory() === true;
  return isInterference && isOwnFolderIntact
    ? conflict('Another program changed the files meanwhile. Check them and try again.')
    : error;
}
