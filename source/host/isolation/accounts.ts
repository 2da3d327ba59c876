import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../system/make-folder.ts';

/** Name of a service's user when the service doesn't see the host's own. */
export const userName = 'app';

const home = '/tmp';

/**
 * Returns the texts of /etc/passwd and /etc/group for a service. Programs look up their own user
 * (Node's `os.userInfo()` throws without an entry); no other user of the machine is shown.
 */
export function accountTexts(id: number): readonly [string, string] {
  const system = [
    { name: 'root', number: 0 },
    { name: 'nobody', number: 65_534 },
  ].filter(({ number }) => number !== id);
  const all = [...system, { name: userName, number: id }];
  return [
    all.map(({ name, number }) => `${name}:x:${number}:${number}::${home}:/bin/sh\n`).join(''),
    all.map(({ name, number }) => `${name}:x:${number}:\n`).join(''),
  ];
}

/** Returns the paths of the files that {@link writeAccounts} writes, in the order of the texts. */
export function accountFiles(folder: string, id: number): readonly [string, string] {
  return [path.join(folder, `${id}.passwd`), path.join(folder, `${id}.group`)];
}

/** Writes both files atomically, unless they have this text already. */
export async function writeAccounts(folder: string, id: number): Promise<void> {
  await makeFolder(folder, 0o711);
  const texts = accountTexts(id);
  for (const [index, file] of accountFiles(folder, id).entries()) {
    const text = texts[index] ?? '';
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    const temporary = `${file}.${randomUUID()}`;
    await writeFile(temporary, text, { mode: 0o644 });
    await rename(temporary, file);
  }
}
