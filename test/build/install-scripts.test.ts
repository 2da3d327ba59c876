import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

test('every install script of a dependency is allowed, so that npm warns of none', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([place]) => place.replace(/^.*node_modules\//, ''));
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  expect([...new Set(withScripts)].sort()).toEqual(Object.keys(allowScripts).sort());
});
