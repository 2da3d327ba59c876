import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readDefinition } from '../../../source/commands/deployments/definition-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  ['nope.yaml', "Can't read nope.yaml: no such file."],
  ['folder', "Can't read folder: it is a folder."],
  ['bytes', "Can't read bytes: it is not UTF-8 text."],
  ['blank', 'blank is empty.'],
])('a definition that cannot be read is told with the reason: %s', async (file, sentence) => {
  const cwd = temporaryFolder();
  mkdirSync(path.join(cwd, 'folder'));
  writeFileSync(path.join(cwd, 'bytes'), Buffer.from([0xff, 0xfe]));
  writeFileSync(path.join(cwd, 'blank'), ' \n');
  const { signal } = new AbortController();
  const read = readDefinition(file, { cwd, stdin: () => Readable.from([]), signal });
  await expect(read).rejects.toMatchObject({ problem: { sentence, exit: 2 } });
});
