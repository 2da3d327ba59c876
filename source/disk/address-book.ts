import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type ParsedAddressBook,
  emptyAddressBook,
  parseAddressBook,
} from '../store/grants/address-book.ts';
import type { Deck } from '../store/deck/deck.ts';

const fileName = 'addresses.json';

/** Bytes of the largest address book; reading a larger file would delay keys. */
const largest = 4 * 1024 * 1024;

/** Loads the address book of the configuration folder into the deck, and reports its mistakes. */
export async function loadAddressBook(
  deck: Pick<Deck, 'messages' | 'grants'>,
  configFolder: string,
): Promise<void> {
  const file = path.join(configFolder, fileName);
  const { book, problem } = await readAddressBook(file);
  deck.grants.addressBook.replace(book);
  if (problem !== undefined) {
    deck.messages.say(`${file} ${problem}. Addresses are shown without these names.`, 'bad');
  }
}

/** Reads an address book; an empty one where the file doesn't exist. */
export async function readAddressBook(file: string): Promise<ParsedAddressBook> {
  try {
    const found = await stat(file);
    // Anything else, a pipe above all, may never end.
    if (!found.isFile()) return { book: emptyAddressBook, problem: "isn't a file" };
    if (found.size > largest) return { book: emptyAddressBook, problem: 'is above 4 MiB' };
    return parseAddressBook(await readFile(file, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return {
      book: emptyAddressBook,
      problem: isMissing ? undefined : `could not be read (${code})`,
    };
  }
}
