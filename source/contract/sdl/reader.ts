import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { Part, PartName, Position } from './definition.ts';
import { entryField, type SdlField, itemField, rootField } from './field.ts';
import { type Mistake, Mistakes } from './mistakes.ts';
import type { Nodes } from './nodes.ts';
import { scalarText, shownText, shownValue } from './shown-value.ts';
import { readYaml } from './yaml.ts';

/** Values read from one document: anchors may lead to the same ones many times over. */
const mostValues = 200_000;

/** Of keys that are not known: nobody writes that many. */
const mostCompared = 2000;

/** A longer list helps nobody. */
const mostParts = 100;

/** Merge keys within merged maps: an anchor may merge itself. */
const deepestMerge = 50;

/**
 * Reads a YAML document value by value and collects everything that is not as expected, with line
 * and column, so that one answer names all mistakes. What it could not read is `undefined`; the
 * mistake is already noted then. Of a text that is no valid YAML only that is noted, since all else
 * may follow from it; what is readable can be read all the same.
 */
export class SdlReader {
  readonly root: SdlField;
  readonly #mistakes: Mistakes;
  readonly #targets: Nodes['targets'];
  readonly #isValid: boolean;
  /** By the offset of each part: anchors may lead to the same many times. */
  readonly #parts = new Map<number, PartName>();
  #isAdvising = false;
  #compared = 0;
  #values = 0;

  constructor(text: string) {
    const { contents, targets, mistakes, isValid } = readYaml(text);
    this.root = rootField(contents);
    this.#targets = targets;
    this.#isValid = isValid;
    this.#mistakes = new Mistakes(text);
    for (const { offset, expected, sentence } of mistakes) {
      const words = { expected, sentence: () => sentence };
      this.#mistakes.note({ offset, field: 'sdl', isRefused: true, ...words });
    }
  }

  mistakes(which: 'refused' | 'advised' | 'all'): readonly Mistake[] {
    return this.#mistakes.list(which);
  }

  /** Notes a mistake in a value. Without a sentence one is made of what was expected. */
  fail(field: SdlField, expected: string, sentence?: () => string): undefined {
    this.#note(field, this.isEmpty(field) ? field.keyOffset : field.offset, expected, sentence);
    return undefined;
  }

  /** Notes a mistake in the key of a value. */
  failKey(field: SdlField, expected: string, sentence: () => string): undefined {
    this.#note(field, field.keyOffset, expected, sentence);
    return undefined;
  }

  /** What `read` notes is told, but no reason to refuse the document. */
  advise(read: () => void): void {
    const before = this.#isAdvising;
    this.#isAdvising = true;
    read();
    this.#isAdvising = before;
  }

  /** False once so many names were compared with others that more would only cost time. */
  mayCompare(): boolean {
    this.#compared += 1;
    return this.#compared <= mostCompared;
  }

  /** Notes that the document asks for a part that a host may not have. */
  notePart(field: SdlField, name: PartName): void {
    if (this.#parts.size < mostParts) this.#parts.set(field.keyOffset, name);
  }

  /** Each part that was noted, in the order of the text. */
  parts(): readonly Part[] {
    return [...this.#parts]
      .toSorted(([a], [b]) => a - b)
      .map(([offset, name]) => Object.assign(this.#mistakes.position(offset), { name }));
  }

  /** Where the key of a value stands. */
  position(field: SdlField): Position {
    return this.#mistakes.position(field.keyOffset);
  }

  /** The entries of a map in the order of the text, those of merge keys (`<<`) after its own. */
  entries(field: SdlField, expected: string): ReadonlyMap<string, SdlField> | undefined {
    const node = this.#resolve(field.node);
    if (!isMap(node)) return this.fail(field, expected);
    const entries = new Map<string, SdlField>();
    this.#collect(node.items, field, entries, 0);
    return entries;
  }

  items(field: SdlField, expected: string): readonly SdlField[] | undefined {
    const node = this.#resolve(field.node);
    if (!isSeq(node)) return this.fail(field, expected);
    const items: SdlField[] = [];
    for (const [index, item] of node.items.entries()) {
      if (!this.#mayRead(field)) break;
      items.push(itemField(field, index, item));
    }
    return items;
  }

  /** Text of a scalar as it was written: numbers and booleans keep their spelling. */
  text(field: SdlField, expected: string): string | undefined {
    const node = this.#resolve(field.node);
    if (!isScalar(node) || node.value === null) return this.fail(field, expected);
    return scalarText(node);
  }

  integer(field: SdlField, expected: string, from: number, to: number): number | undefined {
    const node = this.#resolve(field.node);
    const value = isScalar(node) ? Number(scalarText(node)) : Number.NaN;
    if (!Number.isInteger(value) || value < from || value > to) return this.fail(field, expected);
    return value;
  }

  boolean(field: SdlField, expected: string): boolean | undefined {
    const node = this.#resolve(field.node);
    // Some put it in quotes; YAML 1.1 has more words for it.
    const text = isScalar(node) ? scalarText(node).toLowerCase() : '';
    if (['true', 'yes', 'on'].includes(text)) return true;
    return ['false', 'no', 'off'].includes(text) ? false : this.fail(field, expected);
  }

  /** Returns the field where it has a value; advises on a key that was left without one. */
  present(field: SdlField | undefined): SdlField | undefined {
    if (field === undefined || !this.isEmpty(field)) return field;
    this.advise(() => {
      this.failKey(
        field,
        'a value',
        () => `${shownText(field.name)} has no value: it has no effect.`,
      );
    });
    return undefined;
  }

  /** Returns whether nothing was noted so far that the document is refused for. */
  isSound(): boolean {
    return !this.#mistakes.hasRefused;
  }

  /** True for a key without a value. */
  isEmpty(field: SdlField): boolean {
    const node = this.#resolve(field.node);
    return node === null || (isScalar(node) && node.value === null);
  }

  isMap(field: SdlField): boolean {
    return isMap(this.#resolve(field.node));
  }

  isList(field: SdlField): boolean {
    return isSeq(this.#resolve(field.node));
  }

  /** A value for a sentence: short, in quotes where it is no plain word. */
  shown(field: SdlField): string {
    return shownValue(this.#resolve(field.node));
  }

  #collect(
    pairs: readonly Pair[],
    parent: SdlField,
    entries: Map<string, SdlField>,
    depth: number,
  ) {
    const merged: SdlField[] = [];
    for (const pair of pairs) {
      if (!this.#mayRead(parent)) return;
      const key = this.#resolve(pair.key as Node | null);
      const offset = (pair.key as Node | null)?.range?.[0] ?? parent.offset;
      if (!isScalar(key)) {
        const sentence = () => 'A key must be text.';
        this.#note(parent, offset, 'keys that are text', sentence);
        continue;
      }
      const name = scalarText(key);
      const value = entryField(parent, name, offset, pair.value);
      if (name === '<<') merged.push(value);
      else if (!entries.has(name)) entries.set(name, value);
    }
    for (const source of merged) this.#merge(source, parent, entries, depth + 1);
  }

  #merge(source: SdlField, parent: SdlField, entries: Map<string, SdlField>, depth: number) {
    const node = this.#resolve(source.node);
    const maps = isSeq(node) ? node.items.map((item) => this.#resolve(item as Node)) : [node];
    for (const map of maps) {
      if (!isMap(map)) this.fail(source, 'an anchor of a map to merge');
      else if (depth > deepestMerge)
        this.fail(source, `fewer than ${deepestMerge} merges within each other`);
      else if (this.#mayRead(source)) this.#collect(map.items, parent, entries, depth);
    }
  }

  /** Counts a value; false once there are too many, which is noted. */
  #mayRead(field: SdlField): boolean {
    this.#values += 1;
    if (this.#values === mostValues) {
      const expected = `less than ${mostValues} values, anchors unfolded`;
      this.#note(field, field.offset, expected, () => `The text needs ${expected}.`);
    }
    return this.#values < mostValues;
  }

  #resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.#targets.get(node) ?? null) : node;
  }

  #note(field: SdlField, offset: number, expected: string, sentence?: () => string) {
    if (!this.#isValid) return;
    this.#mistakes.note({
      offset,
      field: field.path === '' ? 'sdl' : field.path,
      expected,
      sentence:
        sentence ??
        (() => `${field.name.slice(0, 60)} must be ${expected}, not ${this.shown(field)}.`),
      isRefused: !this.#isAdvising,
    });
  }
}
