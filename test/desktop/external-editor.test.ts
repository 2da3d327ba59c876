import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handToEditor } from '../../source/desktop/external-editor.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** An editor that is a shell script; `$1` is the file, `$OUT` a file for what it finds. */
function scripted(script: string): { env: Record<string, string>; found: () => string } {
  const folder = temporaryFolder();
  const program = path.join(folder, 'editor.sh');
  writeFileSync(program, `${script}\n`);
  const out = path.join(folder, 'out');
  const env = { PATH: process.env['PATH'] ?? '', EDITOR: `sh ${program}`, OUT: out };
  return { env, found: () => readFileSync(out, 'utf8') };
}

test('a text that another program changes comes back changed', async () => {
  const { env } = scripted('printf "two\\n" >> "$1"');
  expect(await handToEditor('one\n', 'config/app.yaml', env)).toEqual({
    kind: 'changed',
    text: 'one\ntwo\n',
  });
});

test('byte order mark and line ends go there and back', async () => {
  const { env, found } = scripted('cat "$1" > "$OUT"; printf "b" >> "$1"');
  const text = '\u{feff}a\r\nä\r\n';
  const handed = await handToEditor(text, 'a.txt', env);
  expect(found()).toBe(text);
  expect(handed).toEqual({ kind: 'changed', text: `${text}b` });
});

test('a file that is left as it was is no change', async () => {
  const { env } = scripted('true');
  expect(await handToEditor('one', 'a', env)).toEqual({ kind: 'unchanged' });
});

test('a failing exit changes nothing, whatever was written', async () => {
  const { env } = scripted('printf lost > "$1"; exit 3');
  expect(await handToEditor('one', 'a', env)).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(/exited with 3\. Nothing was changed\.$/),
  });
});

test('a missing program is reported', async () => {
  const env = { PATH: process.env['PATH'] ?? '', VISUAL: 'no-such-editor', EDITOR: 'true' };
  expect(await handToEditor('one', 'a', env)).toMatchObject({
    kind: 'failed',
    sentence: expect.stringContaining('no-such-editor was not found'),
  });
});

test('only its owner may read the file, which is gone afterwards, and no token is handed on', async () => {
  const { env, found } = scripted(
    'ls -ld "$(dirname "$1")" "$1" | cut -c1-10 > "$OUT"; echo "$1" >> "$OUT"; env >> "$OUT"',
  );
  await handToEditor('one', '../../etc/pass wd;rm', { ...env, HOSTDECK_TOKEN: 'secret' });
  const [folderMode, fileMode, file = '', ...variables] = found().split('\n');
  expect([folderMode, fileMode]).toEqual(['drwx------', '-rw-------']);
  expect(path.basename(file)).toBe('pass_wd_rm');
  expect(existsSync(path.dirname(file))).toBe(false);
  expect(variables.join('\n')).not.toContain('secret');
});

test('a file that is not text is refused and kept', async () => {
  const { env } = scripted('printf "\\377\\376" > "$1"');
  const handed = await handToEditor('one', 'a', env);
  if (handed.kind !== 'failed') throw new Error('it was taken');
  const [, folder = ''] = /it is in (\S+)\./.exec(handed.sentence) ?? [];
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(readFileSync(path.join(folder, 'a'))).toEqual(Buffer.from([0xff, 0xfe]));
});
