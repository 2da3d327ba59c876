import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

test('an option that a script does not have is told, with those that there are', () => {
  const script = path.resolve(import.meta.dirname, '../conformance/run.ts');
  const run = spawnSync(process.execPath, [script, '--wrong'], { encoding: 'utf8' });
  const told = run.stdout + run.stderr;
  expect(run.status).toBe(2);
  expect(told).toMatch(/Unknown option '--wrong'[^\n]*\nThere are --[\w-]+, --/);
  expect(told).not.toMatch(/\n +at /);
});
