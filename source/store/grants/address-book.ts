import { createStore, type StoreApi } from 'zustand/vanilla';
import { addressKey } from './address.ts';

/** What a person calls a wallet address. The name is any text: it is sanitised where it is drawn. */
export interface NamedAddress {
  readonly name: string;
  readonly address: string;
}

export type AddressBook = readonly NamedAddress[];

export const noNames: AddressBook = [];

/** The names of addresses for readers; empty until they are loaded. */
export interface AddressBookStore
  extends Pick<StoreApi<AddressBook>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Replaces all names. */
  replace(book: AddressBook): void;
}

export function createAddressBook(): AddressBookStore {
  const store = createStore<AddressBook>(() => noNames);
  return { ...store, replace: (book) => store.setState(book, true) };
}

/** Names by address of each book: a long list asks for every row that it draws. */
const known = new WeakMap<AddressBook, ReadonlyMap<string, string>>();

/** The name of an address; of several the first. Hexadecimal addresses are compared without case. */
export function nameOf(book: AddressBook, address: string): string | undefined {
  let names = known.get(book);
  if (names === undefined) {
    names = new Map(book.toReversed().map((entry) => [addressKey(entry.address), entry.name]));
    known.set(book, names);
  }
  return names.size === 0 ? undefined : names.get(addressKey(address));
}

/** What could be read of an address book, and a sentence about what could not. */
export interface AddressBookReading {
  readonly book: AddressBook;
  /** Completes the sentence "FILE …"; undefined when all was read. */
  readonly problem: string | undefined;
}

/** Reads an address book, a JSON object with an address for each name: `{"Dana": "0x12ab"}`. */
export function parseAddressBook(text: string): AddressBookReading {
  const json = parseObject(text.replace(/^\uFEFF/, ''));
  if (json === undefined) {
    return { book: noNames, problem: 'is no JSON object like {"Dana": "0x12ab"}' };
  }
  const entries = Object.entries(json);
  const book = entries.flatMap(([key, value]) => {
    const name = key.trim();
    const address = typeof value === 'string' ? value.trim() : '';
    return name === '' || address === '' ? [] : [{ name, address }];
  });
  const left = entries.length - book.length;
  const [first] = entries.find(([key, value]) => !isEntry(key, value)) ?? [];
  const which = left === 1 ? `has no address for "${first}"` : `has no addresses for ${left} names`;
  return { book, problem: left === 0 ? undefined : which };
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
