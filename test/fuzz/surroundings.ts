import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Creates files around the data folder, and links to them in the staged tree. */
export async function plant(folder: string, staged: string): Promise<string> {
  const outside = path.join(folder, 'outside');
  await mkdir(path.join(outside, 'dir'), { recursive: true });
  const secret = path.join(outside, 'secret');
  for (const file of [secret, path.join(outside, 'a'), path.join(outside, 'dir', 'app.js')]) {
    await writeFile(file, 'SECRET');
  }
  await symlink(outside, path.join(staged, 'link-out'));
  await symlink(secret, path.join(staged, 'link-secret'));
  await mkdir(path.join(staged, 'dir'));
  await symlink(path.join(outside, 'dir'), path.join(staged, 'dir', 'link-out'));
  return secret;
}

/** Describes the content of folders as a text that changes with any change in them. */
export async function snapshot(folders: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const folder of folders) await describe(folder, lines);
  return lines.join('\n');
}

async function describe(place: string, lines: string[]): Promise<void> {
  const stats = await lstat(place);
  if (!stats.isDirectory()) {
    const content = stats.isFile() ? await readFile(place) : '';
    const hash = createHash('sha256').update(content).digest('hex');
    lines.push(`${place} ${stats.mode} ${stats.size} ${stats.mtimeMs} ${stats.ino} ${hash}`);
    return;
  }
  lines.push(`${place} ${stats.mode} ${stats.mtimeMs}`);
  for (const name of (await readdir(place)).sort()) await describe(path.join(place, name), lines);
}
