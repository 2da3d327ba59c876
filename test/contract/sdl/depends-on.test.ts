import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';

/** Builds a definition with these dependencies between its services, by number. */
function sdlOf(dependencies: readonly (readonly number[])[]): string {
  const services = dependencies.map(
    (all, index) =>
      `  s${index}: { image: a, dependsOn: [${all.map((to) => `s${to}`).join(', ')}] }`,
  );
  const placements = dependencies.map((_, index) => `  s${index}: { here: { profile: small } }`);
  return [
    'version: "2.0"',
    'services:',
    ...services,
    'profiles: { compute: { small: {} }, placement: { here: { pricing: { small: { amount: 0 } } } } }',
    'deployment:',
    ...placements,
    '',
  ].join('\n');
}

/** Returns true when a service can be reached from itself. */
function isInCycle(dependencies: readonly (readonly number[])[], from: number): boolean {
  const seen = new Set<number>();
  const stack = [...(dependencies[from] ?? [])];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at === from) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    stack.push(...(dependencies[at] ?? []));
  }
  return false;
}

const graphs = fc
  .integer({ min: 1, max: 9 })
  .chain((count) =>
    fc.array(fc.array(fc.nat(count - 1), { maxLength: 3 }), { minLength: count, maxLength: count }),
  );

describe('any services that depend on each other', () => {
  it('are rejected when they form a cycle, at a service of the cycle', () => {
    fc.assert(
      fc.property(graphs, (dependencies) => {
        const parsed = parseSdl(sdlOf(dependencies));
        const inCycles = dependencies.flatMap((_, index) =>
          isInCycle(dependencies, index) ? [index] : [],
        );
        expect(parsed.ok).toBe(inCycles.length === 0);
        if (parsed.ok) {
          expect(parsed.definition.services.map(({ dependsOn }) => dependsOn)).toEqual(
            dependencies.map((all) => [...new Set(all)].map((to) => `s${to}`)),
          );
          return;
        }
        const lines = parsed.problems.map(({ line }) => (line ?? 0) - 3);
        expect(lines.length).toBeGreaterThan(0);
        expect(new Set(lines).size).toBe(lines.length);
        expect(inCycles).toEqual(expect.arrayContaining(lines));
      }),
      { numRuns: 100 },
    );
  });
});

describe('very many services', () => {
  const count = 300;
  const each = (of: (index: number) => readonly number[]) =>
    sdlOf(Array.from({ length: count }, (_, index) => of(index)));

  it('in one long chain are read', () => {
    expect(summariseSdl(each((index) => (index === 0 ? [] : [index - 1]))).problems).toEqual([]);
  });

  it('in one long cycle are rejected once, in a short sentence', () => {
    const { problems } = summariseSdl(each((index) => [(index + 1) % count]));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.sentence).toBe(
      'Services depend on each other: "s0", "s1", "s2", "s3", "s4", …, "s0".',
    );
  });

  it('that each depend on themselves, or lead into one cycle, are rejected quickly', () => {
    expect(summariseSdl(each((index) => [index])).problems).toHaveLength(100);
    expect(summariseSdl(each((index) => [Math.max(0, index - 1)])).problems).toHaveLength(1);
  });

  it('that all share one long list of dependencies are rejected quickly', () => {
    const names = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const services = names.map((name) => `  ${name}: { image: a, dependsOn: *all }\n`).join('');
    const text = `version: "2.0"\nx-all: &all [${names.join(', ')}]\nservices:\n${services}`;
    expect(summariseSdl(text).problems.length).toBeGreaterThan(0);
  });
});
