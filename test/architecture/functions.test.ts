import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { root } from './sources.ts';

/** A finding of the linter, as far as it is read here. */
interface Report {
  readonly diagnostics: readonly { readonly message: string; readonly filename: string }[];
}

/** Returns the functions of source that are longer than some lines, comments and blank lines included. */
function longFunctions(max: number): readonly string[] {
  const config = path.join(temporaryFolder(), 'oxlintrc.json');
  const rules = { 'max-lines-per-function': ['error', { max, IIFEs: true }] };
  writeFileSync(config, JSON.stringify({ plugins: [], categories: { correctness: 'off' }, rules }));
  const linter = path.join(root, 'node_modules/.bin/oxlint');
  const args = ['--config', config, '-f', 'json', 'source'];
  const { diagnostics } = JSON.parse(runToOutput(linter, args)) as Report;
  return diagnostics.map(({ message, filename }) => `${filename}: ${message}`);
}

/** Returns the output of a program that ends with 1 where it finds something. */
function runToOutput(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout } = error as { readonly stdout?: string };
    if (stdout === undefined || stdout === '') throw error;
    return stdout;
  }
}

// A function has at most 60 lines, a table 80. The ceilings are today's counts; they only fall.
test.each([
  { lines: 60, ceiling: 98 },
  { lines: 80, ceiling: 59 },
])('at most $ceiling functions are longer than $lines lines', ({ lines, ceiling }) => {
  expect(longFunctions(lines).slice(ceiling)).toEqual([]);
});
