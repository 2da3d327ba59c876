import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createAnsweredDrafts } from '../../source/disk/state-entry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('answered drafts are remembered by service; a damaged entry counts as none', async () => {
  const folder = temporaryFolder();
  const written: Promise<void>[] = [];
  const open = (service: string) =>
    createAnsweredDrafts(folder, service, (write) => written.push(write));
  open('http://here').write(['a', 'b']);
  await Promise.all(written);
  expect([...open('http://here').read()]).toEqual(['a', 'b']);
  expect(open('http://there').read().size).toBe(0);
  await writeFile(
    path.join(folder, 'answered.json'),
    '{"http://here": [1, "b"], "http://there": 7}',
  );
  expect([...open('http://here').read()]).toEqual(['b']);
  expect(open('http://there').read().size).toBe(0);
});
