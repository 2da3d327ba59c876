/** Reads the values of an SDL and collects its mistakes. */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, LineCounter } from 'yaml';
import type { SdlPart, SdlPartName, Position } from './definition.ts';
import { entryField, type SdlField, itemField, rootField } from './field.ts';
import type { NodeIndex } from './nodes.ts';
import { formatPlainText } from './shown-text.ts';
import { formatNode, scalarText } from './shown-value.ts';
import { readYaml } from './yaml.ts';

/** Largest number of values read from a document, because aliases can multiply them. */
const maxValues = 200_000;

/** Largest number of unknown keys that are compared with known ones. */
const maxCompared = 2000;

/** Largest number of listed parts. */
const maxParts = 100;

/** Deepest nesting of merge keys, because a map can merge itself. */
const maxMergeDepth = 50;

/**
 * Reads a YAML document value by value and collects all mistakes with line and column. An unreadable
 * value is `undefined`, and its mistake is recorded. For invalid YAML only the YAML errors are
 * recorded, because other mistakes may result from them; values can still be read.
 */
export class SdlReader {
  readonly root: SdlField;
  readonly #mistakes: MistakeList;
  readonly #targets: NodeIndex['targets'];
  readonly #isValid: boolean;
  /** Parts by offset, so that aliases add each part only once. */
  readonly #parts = new Map<number, SdlPartName>();
  #isWarning = false;
  #compared = 0;
  #values = 0;

  constructor(text: string) {
    const { contents, targets, mistakes, warnings, isValid } = readYaml(text);
    const foreign = findForeignFormat(text);
    this.root = rootField(contents);
    this.#targets = targets;
    this.#isValid = isValid && foreign === undefined;
    this.#mistakes = new MistakeList(text);
    const add = (isError: boolean) => (mistake: (typeof mistakes)[number]) => {
      const { offset, expected, sentence } = mistake;
      this.#mistakes.add({ offset, field: 'sdl', isError, expected, sentence: () => sentence });
    };
    if (foreign === undefined) {
      mistakes.forEach(add(true));
      warnings.forEach(add(false));
    } else {
      const { name, hint } = foreign;
      const sentence = `This is ${name}, not a definition (docs/host.md#definitions). ${hint}`;
      add(true)({ offset: 0, expected: `a definition, not ${name}`, sentence: sentence.trim() });
    }
  }

  /** Returns the first hundred mistakes in the order of the text. */
  mistakes(kind: 'refused' | 'advised' | 'all'): readonly Mistake[] {
    return this.#mistakes.list(kind);
  }

  /** Records a mistake in a value. The default sentence is "NAME must be EXPECTED, not VALUE." */
  reportValue(field: SdlField, expected: string, sentence?: () => string): undefined {
    this.#note(field, this.isEmpty(field) ? field.keyOffset : field.offset, expected, sentence);
    return undefined;
  }

  /** Records a mistake in the key of a value. */
  reportKey(field: SdlField, expected: string, sentence: () => string): undefined {
    this.#note(field, field.keyOffset, expected, sentence);
    return undefined;
  }

  /** Calls `read` and records its mistakes as warnings. */
  asWarnings(read: () => void): void {
    const previous = this.#isWarning;
    this.#isWarning = true;
    read();
    this.#isWarning = previous;
  }

  /** Returns false once the limit of compared names is reached, to bound the time. */
  canCompare(): boolean {
    this.#compared += 1;
    return this.#compared <= maxCompared;
  }

  /** Records a part that a host may not support. */
  addPart(field: SdlField, name: SdlPartName): void {
    if (this.#parts.size < maxParts) this.#parts.set(field.keyOffset, name);
  }

  /** Returns the recorded parts in the order of the text. */
  parts(): readonly SdlPart[] {
    return [...this.#parts]
      .toSorted(([a], [b]) => a - b)
      .map(([offset, name]) => Object.assign(this.#mistakes.position(offset), { name }));
  }

  /** Returns the position of a value's key. */
  position(field: SdlField): Position {
    return this.#mistakes.position(field.keyOffset);
  }

  /** Reads the entries of a map in the order of the text, those of merge keys (`<<`) last. */
  entries(field: SdlField, expected: string): ReadonlyMap<string, SdlField> | undefined {
    const node = this.#resolve(field.node);
    if (!isMap(node)) return this.reportValue(field, expected);
    const entries = new Map<string, SdlField>();
    this.#collect(node.items, field, entries, 0);
    return entries;
  }

  /** Reads the items of a list. */
  items(field: SdlField, expected: string): readonly SdlField[] | undefined {
    const node = this.#resolve(field.node);
    if (!isSeq(node)) return this.reportValue(field, expected);
    const items: SdlField[] = [];
    for (const [index, item] of node.items.entries()) {
      if (!this.#mayRead(field)) break;
      items.push(itemField(field, index, item));
    }
    return items;
  }

  /** Reads a scalar as its source text, also for numbers and booleans. */
  text(field: SdlField, expected: string): string | undefined {
    const node = this.#resolve(field.node);
    if (!isScalar(node) || node.value === null) return this.reportValue(field, expected);
    return scalarText(node);
  }

  /** Reads an integer from `from` to `to`, both included. */
  integer(field: SdlField, expected: string, from: number, to: number): number | undefined {
    const node = this.#resolve(field.node);
    const value = isScalar(node) ? Number(scalarText(node)) : Number.NaN;
    if (!Number.isInteger(value) || value < from || value > to)
      return this.reportValue(field, expected);
    return value;
  }

  /** Reads a boolean, also in quotes and in the words of YAML 1.1. */
  boolean(field: SdlField, expected: string): boolean | undefined {
    const node = this.#resolve(field.node);
    const text = isScalar(node) ? scalarText(node).toLowerCase() : '';
    if (['true', 'yes', 'on'].includes(text)) return true;
    return ['false', 'no', 'off'].includes(text) ? false : this.reportValue(field, expected);
  }

  /** Returns the field if it has a value; warns about a key without one. */
  optional(field: SdlField | undefined): SdlField | undefined {
    if (field === undefined || !this.isEmpty(field)) return field;
    this.asWarnings(() => {
      this.reportKey(
        field,
        'a value',
        () => `${formatPlainText(field.name)} has no value, so it has no effect.`,
      );
    });
    return undefined;
  }

  /** Returns true while no error has been recorded. */
  hasNoErrors(): boolean {
    return !this.#mistakes.hasRefused;
  }

  /** Returns true for a key without a value. */
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

  /** Returns a value for a message: shortened, and quoted unless it is a plain word. */
  formatValue(field: SdlField): string {
    return formatNode(this.#resolve(field.node));
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
        this.#note(parent, offset, 'text keys', sentence);
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
      if (!isMap(map)) this.reportValue(source, 'an alias of a map to merge');
      else if (depth > maxMergeDepth)
        this.reportValue(source, `fewer than ${maxMergeDepth} nested merges`);
      else if (this.#mayRead(source)) this.#collect(map.items, parent, entries, depth);
    }
  }

  /** Counts a value; returns false once the limit is reached, which it records. */
  #mayRead(field: SdlField): boolean {
    this.#values += 1;
    if (this.#values === maxValues) {
      const expected = `fewer than ${maxValues} values, with aliases expanded`;
      this.#note(field, field.offset, expected, () => `The text must have ${expected}.`);
    }
    return this.#values < maxValues;
  }

  #resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.#targets.get(node) ?? null) : node;
  }

  #note(field: SdlField, offset: number, expected: string, sentence?: () => string) {
    if (!this.#isValid) return;
    this.#mistakes.add({
      offset,
      field: field.path === '' ? 'sdl' : field.path,
      expected,
      sentence:
        sentence ??
        (() => `${field.name.slice(0, 60)} must be ${expected}, not ${this.formatValue(field)}.`),
      isError: !this.#isWarning,
    });
  }
}

/** A mistake in an SDL: `expected` goes into answers of the host, `sentence` is shown to people. */
interface Mistake extends Position {
  readonly field: string;
  readonly expected: string;
  readonly sentence: string;
  /** True for an error, false for a warning. */
  readonly isError: boolean;
}

interface UnplacedMistake extends Omit<Mistake, 'sentence' | keyof Position> {
  readonly offset: number;
  /** Called only for listed mistakes, because a text may have very many. */
  readonly sentence: () => string;
}

/** Largest number of listed mistakes. */
const maxListed = 100;

/** Largest length of a field in characters; keys may be as long as the text. */
const maxFieldLength = 500;

/** The mistakes of a text, each listed once however many aliases lead to it. */
class MistakeList {
  readonly #mistakes = new Map<string, UnplacedMistake>();
  readonly #lines = new LineCounter();

  constructor(text: string) {
    this.#lines.addNewLine(0);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#lines.addNewLine(at + 1);
    }
  }

  /** Adds a mistake; at the same offset an error replaces a warning. */
  add(mistake: UnplacedMistake): void {
    const key = `${mistake.offset} ${mistake.expected}`;
    const existing = this.#mistakes.get(key);
    if (existing === undefined || (mistake.isError && !existing.isError)) {
      this.#mistakes.set(key, mistake);
    }
  }

  get hasRefused(): boolean {
    return [...this.#mistakes.values()].some(({ isError }) => isError);
  }

  /** Returns the line and column of an offset. */
  position(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /**
   * Returns the first hundred errors, warnings or both in the order of the text. Errors have priority
   * over warnings among the hundred.
   */
  list(kind: 'refused' | 'advised' | 'all'): readonly Mistake[] {
    const sorted = [...this.#mistakes.values()].toSorted((a, b) => a.offset - b.offset);
    const refused = kind === 'advised' ? [] : sorted.filter(({ isError }) => isError);
    const advised = kind === 'refused' ? [] : sorted.filter(({ isError }) => !isError);
    return [...refused, ...advised]
      .slice(0, maxListed)
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, field, expected, sentence, isError }) => {
        const { line, column } = this.position(offset);
        return {
          line,
          column,
          field: field.slice(0, maxFieldLength),
          expected,
          sentence: sentence(),
          isError,
        };
      });
  }
}

/** Recognises files of other tools by their content, because they are mistaken for definitions. */

/** A text in the format of another tool. */
interface ForeignFormat {
  /** Name of the format with its article: `a Compose file`. */
  readonly name: string;
  /** Advice how to write the same in a definition; may be empty. */
  readonly hint: string;
}

interface FormatSigns extends ForeignFormat {
  /** Every such text matches all of them. */
  readonly signs: readonly RegExp[];
  /** No such text matches it. */
  readonly others?: RegExp;
  /** Returns whether the lines are those of such a text. */
  readonly hasLines?: (lines: readonly string[]) => boolean;
}

/** Top-level parts of a definition. */
const ownParts = /^["']?(?:profiles|deployment)["']?:/m;

const composeKeys =
  'build|container_name|depends_on|entrypoint|env_file|environment|healthcheck|networks|ports|restart|volumes';

const formats: readonly FormatSigns[] = [
  {
    name: 'a Kubernetes manifest',
    hint: '',
    signs: [/^apiVersion: *\S/m, /^kind: *\S/m],
  },
  {
    name: 'a blueprint of Render (render.yaml)',
    hint: '',
    signs: [/^services: *(?:#.*)?\r?\n *- +(?:type|name|runtime): /m],
    others: ownParts,
  },
  {
    name: 'a Compose file',
    hint: 'Use env for environment, expose for ports, and profiles for sizes and prices.',
    signs: [
      /^services:/m,
      new RegExp(`^ +(?:image|${composeKeys}):`, 'm'),
      new RegExp(`^ +(?:${composeKeys}):|^(?:volumes|networks|version: *["']?[13]\\b)`, 'm'),
    ],
    others: ownParts,
  },
  {
    name: 'a Dockerfile',
    hint: 'Build an image from it, and name the image in a definition.',
    signs: [/^FROM +\S/im],
    hasLines: (lines) => /^FROM +\S/i.test(lines.find((line) => !/^ARG /i.test(line)) ?? ''),
  },
  {
    name: 'the configuration of Fly.io (fly.toml)',
    hint: '',
    signs: [
      /^app *= *["']/m,
      /^\[+(?:build|deploy|env|http_service|mounts|processes|services|vm)\b|^primary_region *=/m,
    ],
  },
  {
    name: 'a package.json',
    hint: '',
    signs: [/^\s*\{/, /"(?:name|version)" *:/, /"(?:scripts|dependencies|devDependencies)" *:/],
    others: /"(?:profiles|deployment)" *:/,
  },
  {
    name: 'a Procfile',
    hint: 'Each of its lines is a service with a command.',
    signs: [/^(?:web|worker|release|clock|scheduler): +\S/m],
    others: /^(?:version|services|profiles|deployment):/m,
    hasLines: (lines) => lines.every((line) => /^[\w-]+: +[^\s#{["'&*|>]/.test(line)),
  },
];

/** Most characters that are searched, because some signs take long in a long text. */
const maxSearched = 16_384;

/** Returns the foreign format of a text; undefined for a definition or an unknown format. */
export function findForeignFormat(text: string): ForeignFormat | undefined {
  const head = text.slice(0, maxSearched);
  const lines = head.split(/\r?\n/).filter((line) => !/^[ \t]*(?:#|$)/.test(line));
  return formats.find(
    ({ signs, others, hasLines }) =>
      signs.every((sign) => sign.test(head)) &&
      others?.test(text) !== true &&
      hasLines?.(lines) !== false,
  );
}
