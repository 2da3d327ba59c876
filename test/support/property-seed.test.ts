import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const setUp = fileURLToPath(new URL('property-seed.ts', import.meta.url));
const sample = `
  await import(${JSON.stringify(setUp)});
  const fc = await import('fast-check');
  const seen = [];
  fc.assert(fc.property(fc.nat(), (number) => { seen.push(number); }));
  console.log(seen.join(' '));
`;

function examples(seed: string | undefined): string {
  const { HOSTDECK_TEST_SEED: _, ...environment } = process.env;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', sample], {
    encoding: 'utf8',
    env: seed === undefined ? environment : { ...environment, HOSTDECK_TEST_SEED: seed },
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
}

test('a build that names a seed tries the same examples each time, and others with another seed', () => {
  expect(examples('7')).toBe(examples('7'));
  expect(examples('7')).not.toBe(examples('8'));
  expect(examples(undefined)).not.toBe(examples(undefined));
});
