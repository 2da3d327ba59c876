import { execFileSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadAddressBook, readAddressBook } from '../../source/disk/address-book.ts';
import { openDeck } from '../view/open-deck.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function temporaryFile(content?: string): Promise<string> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'addresses.json');
  if (content !== undefined) await writeFile(file, content);
  return file;
}

it('a file that is not there is an empty book, and no problem', async () => {
  const file = await temporaryFile();
  expect(await readAddressBook(file)).toEqual({ book: [], problem: undefined });
  expect(await readAddressBook(path.join(file, 'below', 'it'))).toEqual({
    book: [],
    problem: undefined,
  });
});

it('what is no file, too large or forbidden is said', async () => {
  const file = await temporaryFile();
  await mkdir(file);
  expect((await readAddressBook(file)).problem).toBe("isn't a file");
  const pipe = `${file}.pipe`;
  execFileSync('mkfifo', [pipe]);
  expect((await readAddressBook(pipe)).problem).toBe("isn't a file");
  const large = await temporaryFile('{');
  await truncate(large, 5 * 1024 * 1024);
  expect((await readAddressBook(large)).problem).toBe('is above 4 MiB');
  expect((await readAddressBook('/dev/full\0')).problem).toMatch(/^could not be read/);
});

it('gives the console its names; a file that is wrong is said with its name', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const file = await temporaryFile('{"Dana": "0x1", "Bot": []}');
  await loadAddressBook(deck, path.dirname(file));
  expect(deck.grants.addressBook.getState()).toEqual([{ name: 'Dana', address: '0x1' }]);
  expect(deck.screen.getState().message).toMatchObject({
    tone: 'bad',
    text: `${file} has no address for "Bot". Addresses are shown without these names.`,
  });
});
