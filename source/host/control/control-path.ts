import { lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { StartFailure } from '../start-failure.ts';
import { makeFolderSync } from '../../system/make-folder.ts';

/** Maximum bytes: `sun_path` has 108 bytes on Linux and 104 elsewhere, the last of them NUL. */
const maxSocketPath = 103;

/**
 * Returns the path of a data folder's control socket: inside the folder, or in a private temporary
 * folder of this user when that path is too long for a socket.
 */
export function controlSocketPath(dataDir: string): string {
  const inside = path.join(path.resolve(dataDir), 'host.sock');
  if (Buffer.byteLength(inside) <= maxSocketPath) return inside;
  // Lazy, since loading it would delay the start of every console by milliseconds.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const name = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 24);
  return path.join(privateFolder(), `${name}.sock`);
}

/**
 * Returns a temporary folder that only this user can write to. Any user can create a folder of this
 * name in the shared temporary folder, so its owner and its mode are checked.
 */
function privateFolder(): string {
  const { uid } = userInfo();
  const folder = path.join(tmpdir(), `hostdeck-${uid}`);
  makeFolderSync(folder, 0o700);
  const stats = lstatSync(folder);
  const isOwn = stats.isDirectory() && (uid < 0 || stats.uid === uid);
  if (!isOwn || (uid >= 0 && (stats.mode & 0o077) !== 0)) {
    throw new StartFailure(
      'refused-folder',
      isOwn ? `Other users can enter ${folder}.` : `${folder} is not a folder of this user.`,
      'Remove it, or name a data folder with a shorter path with --data.',
    );
  }
  return folder;
}
