import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createClipboard } from '../../source/desktop/clipboard.ts';
import { clipboardLimit, clipboardSequence } from '../../source/terminal/clipboard.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function openClipboard(inFolder = (folder: string) => folder, env = {}) {
  const folder = temporaryFolder();
  const passed: string[] = [];
  const stateFolder = inFolder(folder);
  let fails = false;
  const pass = (bytes: string) => {
    if (!fails) passed.push(bytes);
    else {
      fails = false;
      throw new Error('EIO');
    }
  };
  const failNext = () => {
    fails = true;
  };
  const clipboard = createClipboard({ stateFolder, env, pass, away: (run) => run() });
  return { clipboard, passed, failNext, file: path.join(stateFolder, 'copied') };
}

test('a text that terminals would drop is kept, not sent', async () => {
  const { clipboard, passed, file } = openClipboard();
  const text = 'x'.repeat(clipboardLimit);
  expect(await clipboard.copy(text)).toMatchObject({ isSent: true });
  expect(await clipboard.copy(`${text}x`)).toMatchObject({ isSent: false, kept: { file } });
  expect(passed).toEqual([clipboardSequence(text, 'terminal')]);
  expect(readFileSync(file, 'utf8')).toBe(`${text}x`);
});

test('of copies made at once the last one stays', async () => {
  const { clipboard, passed, file } = openClipboard();
  expect(clipboard.hasCopied()).toBe(false);
  await Promise.all(['a', 'b', 'c'].map((text) => clipboard.copy(text)));
  expect(clipboard.hasCopied()).toBe(true);
  expect(passed).toEqual(['a', 'b', 'c'].map((text) => clipboardSequence(text, 'terminal')));
  expect(readFileSync(file, 'utf8')).toBe('c');
});

test('a copy that cannot be kept is sent all the same, and the reason told', async () => {
  const { clipboard, passed } = openClipboard((folder) => {
    writeFileSync(path.join(folder, 'file'), '');
    return path.join(folder, 'file');
  });
  const { isSent, kept } = await clipboard.copy('a');
  expect(isSent).toBe(true);
  expect(kept).toHaveProperty('whyNot');
  expect(passed).toHaveLength(1);
});

test('a copy that the terminal took with an error does not keep the next one from being made', async () => {
  const { clipboard, passed, failNext } = openClipboard();
  failNext();
  const refused = clipboard.copy('a');
  const next = clipboard.copy('b');
  await expect(refused).rejects.toThrow('EIO');
  expect(await next).toMatchObject({ isSent: true });
  expect(passed).toEqual([clipboardSequence('b', 'terminal')]);
});

test('without a tmux to run, the terminal is told itself', async () => {
  const env = { TMUX: '/tmp/tmux,1,0', PATH: '/nonexistent' };
  const { clipboard, passed } = openClipboard((folder) => folder, env);
  await clipboard.copy('a');
  expect(passed).toEqual([clipboardSequence('a', 'terminal')]);
});
