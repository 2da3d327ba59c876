/** Reads the maps and scalars of a YAML text, and collects its mistakes with their lines. */
import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { findNearName } from '../contract/sdl/near-name.ts';
import { formatPlainText } from '../contract/sdl/shown-text.ts';
import { scalarText } from '../contract/sdl/shown-value.ts';
import { readYaml } from '../contract/sdl/yaml.ts';
import type { ConfigProblem } from './environment.ts';

/** A value of the text, and the key that leads to it. */
export interface ConfigField {
  readonly key: string;
  readonly node: Node | null;
  /** Offset of the key in the text. */
  readonly offset: number;
  /** Whether a mistake in it stops the program; else the default is used. */
  readonly isVital: boolean;
}

interface ConfigMistake extends ConfigProblem, Pick<ConfigField, 'offset' | 'isVital'> {}

/** The keys that a map may have. */
export interface ConfigKeys {
  readonly known: readonly string[];
  /** Keys of earlier versions, which are ignored, and named in one warning. */
  readonly removed?: readonly string[];
  /**
   * Keys whose mistakes stop the program, with unknown ones that are near one of them; undefined where
   * the map itself decides that.
   */
  readonly vital?: readonly string[];
  /** Whether other unknown keys stop it, too. */
  readonly isStrict?: boolean;
  readonly required?: readonly string[];
  /** Words an unknown key; undefined to suggest the nearest known key. */
  readonly refusal?: (key: string) => ConfigProblem | undefined;
}

/**
 * A reader of one text. A value that can't be read is undefined, and its mistake is collected: one that
 * stops the program, or a warning.
 */
export interface ConfigReader {
  readonly root: ConfigField;
  /** Returns the entries of a map by their keys; other keys than the known ones are mistakes. */
  fields(map: ConfigField, keys: ConfigKeys): ReadonlyMap<string, ConfigField>;
  /** Returns the entries of a map with keys of the person's own; `expected` describes the map. */
  entries(map: ConfigField, expected: string): readonly ConfigField[];
  /** Returns the items of a list, each with the place of its own; `expected` describes the list. */
  items(list: ConfigField, expected: string): readonly ConfigField[];
  /**
   * Returns a scalar's value. A number is read by its text, because wallets look like numbers.
   * @param parse returns undefined for a text that is not as expected.
   */
  value<T>(
    field: ConfigField | undefined,
    expected: string,
    parse: (text: string) => T | undefined,
  ): T | undefined;
  /** Returns the texts of a list, or of a single scalar. */
  texts(field: ConfigField, expected: string): readonly string[] | undefined;
  /** Adds a mistake at a field. */
  refuse(field: ConfigField, sentence: string, next: string): void;
  lineOf(field: ConfigField): number;
  /** Returns the first mistake that stops the program; undefined where there is none. */
  problem(): ConfigProblem | undefined;
  /** Returns a warning about removed keys, and the other mistakes in the order of the text. */
  warnings(): readonly ConfigProblem[];
}

/** Creates the reader of a text; `file` is named in messages, which never repeat a value. */
export function createConfigReader(text: string, file: string): ConfigReader {
  const { contents, targets, mistakes, isValid } = readYaml(text);
  const collected: ConfigMistake[] = [];
  const removedFields: ConfigField[] = [];

  const resolve = (node: Node | null): Node | null =>
    isAlias(node) ? (targets.get(node) ?? null) : node;

  const linesTo = (offset: number): readonly string[] => text.slice(0, offset).split('\n');
  const lineAt = (offset: number): number => linesTo(offset).length;

  /** Returns the mistake of a text that is not valid YAML, whose values may mislead. */
  function yamlProblem({ offset, sentence }: { offset: number; sentence: string }): ConfigProblem {
    const column = (linesTo(offset).at(-1) ?? '').length + 1;
    const place = `line ${lineAt(offset)}, column ${column}`;
    return {
      sentence: `${file} ${place}: Not valid YAML.`,
      next: sentence.replace(/^Not valid YAML: /, ''),
    };
  }

  function refuse(
    { offset, isVital }: Pick<ConfigField, 'offset' | 'isVital'>,
    sentence: string,
    next: string,
  ): void {
    collected.push({ offset, isVital, sentence, next });
  }

  function mistakesOf(isVital: boolean): readonly ConfigProblem[] {
    return collected
      .filter((mistake) => mistake.isVital === isVital)
      .toSorted((one, other) => one.offset - other.offset)
      .map(({ offset, sentence, next }) => ({
        sentence: `${file} line ${lineAt(offset)}: ${sentence}`,
        next,
      }));
  }

  function removedKeys(): readonly ConfigProblem[] {
    if (removedFields.length === 0) return [];
    const names = removedFields.map(({ key, offset }) => `${key} (line ${lineAt(offset)})`);
    const [verb, noun] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
    const sentence = `${file}: ${listOf(names)} ${verb} no longer used.`;
    return [{ sentence, next: `Remove ${noun}.` }];
  }

  function refuseValue(field: ConfigField, expected: string): undefined {
    refuse(field, `${field.key} is not valid.`, `It must be ${expected}.`);
    return undefined;
  }

  function entries(map: ConfigField, expected: string): readonly ConfigField[] {
    if (isEmpty(map.node)) return [];
    if (!isMap(map.node)) return refuseValue(map, expected) ?? [];
    return map.node.items.map(({ key, value }) => {
      const keyNode = key as Node;
      return {
        key: isScalar(keyNode) ? scalarText(keyNode) : '',
        node: resolve(value as Node | null),
        offset: keyNode.range?.[0] ?? map.offset,
        isVital: map.isVital,
      };
    });
  }

  /** Returns the first of the fields with each key; the others are mistakes. */
  function unique(fields: readonly ConfigField[]): readonly ConfigField[] {
    const keys = new Set<string>();
    return fields.filter((field) => {
      const isFirst = !keys.has(field.key);
      keys.add(field.key);
      const sentence = `Key ${formatPlainText(field.key)} is defined twice.`;
      if (!isFirst) refuse(field, sentence, 'Remove one of them.');
      return isFirst;
    });
  }

  function textOf(node: Node | null): string | undefined {
    return isScalar(node) && !isEmpty(node) ? scalarText(node) : undefined;
  }

  return {
    root: { key: 'The file', node: contents, offset: 0, isVital: true },
    entries: (map, expected) => unique(entries(map, expected)),
    refuse,

    fields(map, { known, removed = [], vital, isStrict = false, required = [], refusal }) {
      const nearestOf = (key: string) => (known.includes(key) ? key : findNearName(key, known));
      const isVital = (key: string): boolean => {
        const near = nearestOf(key);
        if (vital === undefined) return map.isVital;
        return near === undefined ? isStrict : vital.includes(near);
      };
      const all = entries(map, `a map with ${listOf(known)}`);
      removedFields.push(...all.filter(({ key }) => removed.includes(key)));
      const fields = unique(
        all
          .filter(({ key }) => !removed.includes(key))
          .map(({ key, node, offset }) => ({ key, node, offset, isVital: isVital(key) })),
      );
      for (const field of fields) {
        const near = nearestOf(field.key);
        if (near === field.key) continue;
        const { sentence, next } = refusal?.(field.key) ?? {
          sentence: `Unknown key ${formatPlainText(field.key)}.`,
          next: near === undefined ? `Known keys: ${known.join(', ')}.` : `Did you mean ${near}?`,
        };
        refuse(field, sentence, next);
      }
      for (const key of required) {
        if (fields.some((field) => nearestOf(field.key) === key)) continue;
        refuse(map, `${map.key} has no ${key}.`, `Add ${key} to it.`);
      }
      return new Map(fields.map((field) => [field.key, field]));
    },

    items(list, expected) {
      if (isEmpty(list.node)) return [];
      if (!isSeq(list.node)) return refuseValue(list, expected) ?? [];
      return (list.node.items as readonly Node[]).map((item, index) => ({
        key: `Item ${index + 1} of ${list.key}`,
        node: resolve(item),
        offset: item.range?.[0] ?? list.offset,
        isVital: list.isVital,
      }));
    },

    value(field, expected, parse) {
      if (field === undefined) return undefined;
      const found = textOf(field.node);
      const value = found === undefined ? undefined : parse(found);
      return value ?? refuseValue(field, expected);
    },

    texts(field, expected) {
      const { node } = field;
      const items = isSeq(node) ? (node.items as readonly Node[]).map(resolve) : [node];
      const texts = items.map(textOf);
      return texts.every((found) => found !== undefined) ? texts : refuseValue(field, expected);
    },

    lineOf: ({ offset }) => lineAt(offset),

    problem() {
      const [broken] = isValid ? [] : mistakes.toSorted((one, other) => one.offset - other.offset);
      return broken === undefined ? mistakesOf(true)[0] : yamlProblem(broken);
    },

    warnings: () => [...removedKeys(), ...mistakesOf(false)],
  };
}

function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null && (node.source ?? '') === '');
}

/** Joins words as in a sentence: `a, b and c`. */
function listOf(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.slice(-1).join('')}`;
}
