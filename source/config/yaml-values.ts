/** Compares the values of two YAML texts, whatever their form is. */
import { isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { scalarText } from '../contract/sdl/shown-value.ts';
import type { ParsedYaml } from '../contract/sdl/yaml.ts';

/** Keys that lead from the root map to a value. */
export type ValuePath = readonly string[];

/**
 * Returns whether two texts have the same values, apart from those at some paths. A map that holds
 * nothing else counts as absent.
 */
export function haveSameValues(
  one: ParsedYaml,
  other: ParsedYaml,
  except: readonly ValuePath[],
): boolean {
  const numbers = new Map<string, number>();
  return numberOf(one, except, numbers) === numberOf(other, except, numbers);
}

/** Returns the text of the scalar at a path; undefined where there is none. */
export function textAt({ contents, targets }: ParsedYaml, path: ValuePath): string | undefined {
  let node: unknown = contents;
  for (const key of path) {
    node = isMap(node) ? node.items.find((item) => keyText(item.key) === key)?.value : undefined;
    if (isAlias(node)) node = targets.get(node);
  }
  return isScalar(node) ? scalarText(node) : undefined;
}

/** Returns the text of a map's key; undefined where it isn't a scalar. */
export function keyText(key: unknown): string | undefined {
  return isScalar(key) ? scalarText(key) : undefined;
}

/** Returns whether a value is missing or empty, as in `profiles:`. */
export function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || (isScalar(value) && value.source === '');
}

/**
 * Returns a number that stands for the values: equal values have equal numbers. An alias has the
 * number of its target, so that many aliases of large values take no time.
 */
function numberOf(
  { contents, targets }: ParsedYaml,
  except: readonly ValuePath[],
  numbers: Map<string, number>,
): number {
  const known = new Map<unknown, number>();

  function intern(...parts: readonly unknown[]): number {
    const key = JSON.stringify(parts);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  }

  function whole(node: unknown): number {
    const number = read(node);
    known.set(node, number);
    return number;
  }

  function read(node: unknown): number {
    if (isScalar(node)) {
      const { tag, value } = node;
      return intern('scalar', tag, typeof value, String(value), scalarText(node));
    }
    if (isSeq(node)) return intern('list', node.tag, node.items.map(whole));
    // A value that contains its own alias has no number yet.
    if (isAlias(node)) return known.get(targets.get(node)) ?? intern('alias', node.source);
    if (!isMap(node)) return intern('nothing');
    const entries = node.items.map(({ key, value }) => [whole(key), whole(value)]);
    return intern('map', node.tag, entries);
  }

  function entriesWithout(map: YAMLMap, paths: readonly ValuePath[]): readonly unknown[] {
    return map.items.flatMap(({ key, value }) => {
      const below = paths.filter(([first]) => first === keyText(key)).map((path) => path.slice(1));
      if (below.length === 0) return [[known.get(key), known.get(value)]];
      if (below.some((path) => path.length === 0) || isEmptyValue(value)) return [];
      if (!isMap(value)) return [[known.get(key), known.get(value)]];
      const left = entriesWithout(value, below);
      return left.length === 0 ? [] : [[known.get(key), value.tag, left]];
    });
  }

  whole(contents);
  if (isMap(contents)) return intern('root', entriesWithout(contents, except));
  return intern('root', isEmptyValue(contents) ? [] : whole(contents));
}
