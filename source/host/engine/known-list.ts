import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parseEngineJson } from './engine-client.ts';
import { arrayItems } from './fields.ts';

/** The text between two items of a list of an engine, each of which begins with its id. */
const between = Buffer.from('},{"ID":"');

const opening = '['.charCodeAt(0);

/** Items that are parsed before other work of the host has its turn: some 3 ms. */
const itemsATurn = 50;

/**
 * Reads a list that an engine sends again and again, of which little has changed each time. An item with
 * the same text is the same object as before, and so is a list without any other item. Only digests of the
 * texts are kept, as those of a large swarm take megabytes.
 */
export class KnownList<T> {
  readonly #read: (item: unknown) => readonly T[];
  #digest = '';
  #items: readonly T[] = [];
  /** Results by the digest of an item's text. */
  #known: ReadonlyMap<string, readonly T[]> = new Map();

  /** @param read returns the results of an item of the list: one, or none for an invalid item. */
  constructor(read: (item: unknown) => readonly T[]) {
    this.#read = read;
  }

  /** Resolves with the results of all items; rejects with an `EngineError` when the list is not JSON. */
  async read(json: Buffer): Promise<readonly T[]> {
    const digest = digestOf(json);
    if (digest === this.#digest) return this.#items;
    const results = await this.#readItems(json).catch(() => undefined);
    // A list of another form has no items that can be told apart.
    const items =
      results?.flat() ?? arrayItems(parseEngineJson(json.toString())).flatMap(this.#read);
    this.#digest = digest;
    this.#items = items;
    return items;
  }

  /** Rejects when the text between two separators is not JSON: then one of them is within an item. */
  async #readItems(json: Buffer): Promise<readonly (readonly T[])[]> {
    const known = new Map<string, readonly T[]>();
    const results: (readonly T[])[] = [];
    let parsed = 0;
    for (const text of itemsOf(json)) {
      const digest = digestOf(text);
      let result = this.#known.get(digest) ?? known.get(digest);
      if (result === undefined) {
        result = this.#read(JSON.parse(text.toString()));
        parsed += 1;
        if (parsed % itemsATurn === 0) await setImmediate();
      }
      known.set(digest, result);
      results.push(result);
    }
    this.#known = known;
    return results;
  }
}

/** Yields the texts of the items of a list, which has nothing else but commas between them. */
function* itemsOf(json: Buffer): Generator<Buffer> {
  if (json[0] !== opening) throw new SyntaxError('no list');
  const list = json.subarray(1, json.lastIndexOf(']'));
  if (
    json
      .subarray(list.length + 2)
      .toString()
      .trim() !== ''
  )
    throw new SyntaxError('no list');
  for (let start = 0; ; ) {
    const end = list.indexOf(between, start);
    yield list.subarray(start, end === -1 ? undefined : end + 1);
    if (end === -1) return;
    start = end + 2;
  }
}

function digestOf(text: Buffer): string {
  return hash('sha256', text, 'base64');
}
