import { createStore, type StoreApi } from 'zustand/vanilla';
import { addressKey } from './address.ts';

/** A wallet address with a name. The name is any text and is sanitised when it is drawn. */
export interface NamedAddress {
  readonly name: string;
  readonly address: string;
}

export type AddressBook = readonly NamedAddress[];

export const emptyAddressBook: AddressBook = [];

/** The names of addresses for readers; empty until they are loaded. */
export interface AddressBookStore
  extends Pick<StoreApi<AddressBook>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Replaces all names. */
  replace(book: AddressBook): void;
}

export function createAddressBook(): AddressBookStore {
  const store = createStore<AddressBook>(() => emptyAddressBook);
  return { ...store, replace: (book) => store.setState(book, true) };
}

/**
 * Cache of names by address for each book, because a long list looks up every row that it draws.
 */
const nameIndexes = new WeakMap<AddressBook, ReadonlyMap<string, string>>();

/** Returns the first name of an address. Hexadecimal addresses are compared without case. */
export function addressName(book: AddressBook, address: string): string | undefined {
  let names = nameIndexes.get(book);
  if (names === undefined) {
    names = new Map(book.toReversed().map((entry) => [addressKey(entry.address), entry.name]));
    nameIndexes.set(book, names);
  }
  return names.size === 0 ? undefined : names.get(addressKey(address));
}

/** The valid part of an address book and the problem with the rest. */
export interface ParsedAddressBook {
  readonly book: AddressBook;
  /** Text that completes the sentence "FILE …"; undefined when every entry is valid. */
  readonly problem: string | undefined;
}

/** Parses an address book, a JSON object with an address for each name: `{"Dana": "0x12ab"}`. */
export function parseAddressBook(text: string): ParsedAddressBook {
  const json = parseObject(text.replace(/^\uFEFF/, ''));
  if (json === undefined) {
    return { book: emptyAddressBook, problem: 'is not a JSON object like {"Dana": "0x12ab"}' };
  }
  const entries = Object.entries(json);
  const book = entries.flatMap(([key, value]) => {
    const name = key.trim();
    const address = typeof value === 'string' ? value.trim() : '';
    return name === '' || address === '' ? [] : [{ name, address }];
  });
  const invalidCount = entries.length - book.length;
  const [invalidName] = entries.find(([key, value]) => !isEntry(key, value)) ?? [];
  const problem =
    invalidCount === 1
      ? `has no address for "${invalidName}"`
      : `has no addresses for ${invalidCount} names`;
  return { book, problem: invalidCount === 0 ? undefined : problem };
}

function isEntry(name: string, address: unknown): boolean {
  return name.trim() !== '' && typeof address === 'string' && address.trim() !== '';
}

function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
