import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

test.each(['cuts', 'faults', 'fuzz', 'conformance'])(
  'an option that %s does not have is told, with those that there are',
  (name) => {
    const script = path.resolve(import.meta.dirname, '..', name, 'run.ts');
    const run = () => execFileSync(process.execPath, [script, '--wrong'], { stdio: 'pipe' });
    expect(run).toThrow(expect.objectContaining({ status: 2 }));
    expect(run).toThrow(/Unknown option '--wrong'[^\n]*\nThere are --[\w-]+, --/);
    expect(run).not.toThrow(/\n +at /);
  },
);
