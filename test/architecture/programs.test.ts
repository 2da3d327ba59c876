import { expect, test } from 'vitest';
import { importsOf, textOf } from './sources.ts';

const { scripts } = JSON.parse(textOf('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Programs of npm's scripts that Node runs as they are, in TypeScript. */
const programs = new Set(
  Object.values(scripts).flatMap((script) => script.match(/(?<=\bnode )\S+\.ts\b/g) ?? []),
);

/** Returns the imports that lead from a program to a module with JSX, which Node cannot read. */
function wayToJsx(program: string): readonly string[] {
  const ways = new Map<string, readonly string[]>([[program, [program]]]);
  for (const [file, way] of ways) {
    if (file.endsWith('.tsx')) return way;
    for (const { to, typeOnly, isDynamic } of importsOf(file, textOf(file))) {
      const isModule = /^(?:source|test|\.config)\/.*\.tsx?$/.test(to);
      if (isModule && !typeOnly && !isDynamic && !ways.has(to)) ways.set(to, [...way, to]);
    }
  }
  return [];
}

test('the programs that Node runs without a bundler import nothing that it cannot read', () => {
  expect(programs.size).toBeGreaterThan(12);
  expect([...programs].map(wayToJsx)).toEqual([...programs].map(() => []));
});
