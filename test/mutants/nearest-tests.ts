import path from 'node:path';
import { type Import, imports, importsOf, tests, textOf } from '../architecture/sources.ts';

/** Tests of whole programs, which take seconds each. */
const whole =
  /^test\/(?:bench|build|cluster|conformance|cuts|docs|duel|e2e|faults|fuzz|mutants|package|stories)\//;

/** Returns the files that import each file, without those that import only types. */
function importersOf(all: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const { from, to, typeOnly } of all) {
    if (!typeOnly) importers.set(to, [...(importers.get(to) ?? []), from]);
  }
  return importers;
}

const ofTests = tests
  .filter((file) => /\.tsx?$/.test(file) && !whole.test(file))
  .flatMap((file) => importsOf(file, textOf(file)));
const importers = importersOf([...imports, ...ofTests]);

/**
 * Returns the test files that reach a module over the fewest imports, at most `most`: those of its own
 * folder, which `test/` mirrors, first among equals.
 */
export function nearestTests(module: string, most: number): readonly string[] {
  const own = path.dirname(module).replace(/^source/, 'test');
  const found: string[] = [];
  const seen = new Set([module]);
  for (let level = [module]; level.length > 0 && found.length < most; ) {
    const next = [...new Set(level.flatMap((file) => importers.get(file) ?? []))].filter(
      (file) => !seen.has(file),
    );
    for (const file of next) seen.add(file);
    const here = next.filter((file) => /\.test\.tsx?$/.test(file));
    const isOwn = (file: string) => path.dirname(file) === own;
    found.push(...here.filter(isOwn), ...here.filter((file) => !isOwn(file)));
    level = next;
  }
  return found.slice(0, most);
}
