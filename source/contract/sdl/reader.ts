import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
} from 'yaml';
import type { Detail } from '../detail.ts';
import type { Position } from './definition.ts';

/** A value of the document with its path (`services.web.command`) and place. */
export interface Field {
  readonly path: string;
  readonly node: Node | null;
  /** Offset in the text: of the value, or of its key where there is none. */
  readonly offset: number;
}

/** Merge keys followed in one document: an anchor may merge itself, or others many times over. */
const mostMerges = 1000;

/**
 * Reads a YAML document value by value and collects everything that is not as expected, with line
 * and column, so that one answer names all mistakes. What it could not read is `undefined`; the
 * problem is already noted then.
 */
export class DocumentReader {
  readonly problems: Detail[] = [];
  readonly root: Field;
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  #merges = 0;

  constructor(text: string) {
    this.#document = parseDocument(text, { lineCounter: this.#lines });
    for (const error of this.#document.errors) {
      // The library appends an excerpt of the text below its first line.
      const [message = ''] = error.message.split('\n');
      const expected =
        error.code === 'MULTIPLE_DOCS'
          ? 'one document'
          : `valid YAML: ${message.replace(/ at line \d+.*$/, '')}`;
      this.#note('', error.pos[0], expected);
    }
    this.root = { path: '', node: this.#document.contents, offset: 0 };
  }

  /** Notes a problem with a value. */
  fail(field: Field, expected: string): undefined {
    this.#note(field.path, field.offset, expected);
    return undefined;
  }

  position(field: Field): Position {
    // A document of one line may not have reached its first line break yet.
    const { line, col } = this.#lines.linePos(field.offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  /** The entries of a map in the order of the text, those of merge keys (`<<`) after its own. */
  entries(field: Field, expected: string): ReadonlyMap<string, Field> | undefined {
    const node = this.#resolve(field.node);
    if (!isMap(node)) return this.fail(field, expected);
    const entries = new Map<string, Field>();
    this.#collect(node.items, field, entries);
    return entries;
  }

  items(field: Field, expected: string): readonly Field[] | undefined {
    const node = this.#resolve(field.node);
    if (!isSeq(node)) return this.fail(field, expected);
    return node.items.map((item, index) =>
      this.#field(item, `${field.path}[${index}]`, field.offset),
    );
  }

  /** Text of a scalar as it was written: numbers and booleans keep their spelling. */
  text(field: Field, expected: string): string | undefined {
    const node = this.#resolve(field.node);
    if (!isScalar(node) || node.value === null) return this.fail(field, expected);
    return scalarText(node);
  }

  integer(field: Field, expected: string, from: number, to: number): number | undefined {
    const node = this.#resolve(field.node);
    const value = isScalar(node) ? Number(scalarText(node)) : Number.NaN;
    if (!Number.isInteger(value) || value < from || value > to) return this.fail(field, expected);
    return value;
  }

  boolean(field: Field, expected: string): boolean | undefined {
    const node = this.#resolve(field.node);
    if (!isScalar(node) || typeof node.value !== 'boolean') return this.fail(field, expected);
    return node.value;
  }

  /** True for a key without a value. */
  isEmpty(field: Field): boolean {
    const node = this.#resolve(field.node);
    return node === null || (isScalar(node) && node.value === null);
  }

  isMap(field: Field): boolean {
    return isMap(this.#resolve(field.node));
  }

  #collect(pairs: readonly Pair[], parent: Field, entries: Map<string, Field>) {
    const merged: Field[] = [];
    for (const pair of pairs) {
      const key = this.#resolve(pair.key as Node | null);
      const offset = key?.range?.[0] ?? parent.offset;
      if (!isScalar(key)) {
        this.#note(parent.path, offset, 'keys that are text');
        continue;
      }
      const name = scalarText(key);
      const value = this.#field(
        pair.value,
        parent.path === '' ? name : `${parent.path}.${name}`,
        offset,
      );
      if (name === '<<') merged.push(value);
      else if (!entries.has(name)) entries.set(name, value);
    }
    for (const source of merged) this.#merge(source, parent, entries);
  }

  #merge(source: Field, parent: Field, entries: Map<string, Field>) {
    const node = this.#resolve(source.node);
    const maps = isSeq(node) ? node.items.map((item) => this.#resolve(item as Node)) : [node];
    for (const map of maps) {
      this.#merges += 1;
      if (!isMap(map)) this.fail(source, 'an anchor of a map to merge');
      else if (this.#merges === mostMerges) this.fail(source, `fewer than ${mostMerges} merges`);
      else if (this.#merges < mostMerges) {
        this.#collect(map.items, parent, entries);
      }
    }
  }

  #field(value: unknown, path: string, offset: number): Field {
    const node = (value ?? null) as Node | null;
    return { path, node, offset: node?.range?.[0] ?? offset };
  }

  #resolve(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.#document) ?? null) : node;
  }

  #note(path: string, offset: number, expected: string) {
    const position = this.position({ path, node: null, offset });
    this.problems.push({ field: path === '' ? 'sdl' : path, expected, ...position });
  }
}

function scalarText(node: Scalar): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}
