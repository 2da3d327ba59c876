import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type AddressBookReading,
  noNames,
  parseAddressBook,
} from '../store/grants/address-book.ts';
import type { Deck } from '../store/deck/deck.ts';

const fileName = 'addresses.json';

/** Bytes: more are no address book, and reading them would hold up keys. */
const largest = 4 * 1024 * 1024;

/** Gives the console the names of addresses from the configuration, and says what is wrong there. */
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

/** The address book in a file; none where there is no file. */
export async function readAddressBook(file: string): Promise<AddressBookReading> {
  try {
    const found = await stat(file);
    // Anything else, a pipe above all, may never end.
    if (!found.isFile()) return { book: noNames, problem: 'is no file' };
    if (found.size > largest) return { book: noNames, problem: 'is above 4 MiB' };
    return parseAddressBook(await readFile(file, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return { book: noNames, problem: isMissing ? undefined : `could not be read (${code})` };
  }
}
