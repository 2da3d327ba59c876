import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Folder } from '../../../source/host/files/folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function opened(at: string): Promise<Folder> {
  const folder = await Folder.open(at);
  if (!folder) throw new Error(`no folder at ${at}`);
  onTestFinished(() => folder.close());
  return folder;
}

test('a file is in another folder by its link, or by a copy on another file system', async () => {
  // On most machines one of them is in memory.
  const [from, onDisk] = [temporaryFolder(), mkdtempSync(path.join(tmpdir(), 'hostdeck-'))];
  onTestFinished(() => rmSync(onDisk, { recursive: true }));
  writeFileSync(path.join(from, 'a'), 'text');
  for (const to of [temporaryFolder(), onDisk]) {
    await (await opened(from)).linkTo('a', await opened(to));
    expect(readFileSync(path.join(to, 'a'), 'utf8')).toBe('text');
  }
});
