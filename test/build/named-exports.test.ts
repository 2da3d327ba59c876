import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { namedExports } from '../../.config/named-exports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

test.each([
  ['react', 'react/cjs/react.production.js'],
  ['react/jsx-runtime', 'react/cjs/react-jsx-runtime.production.js'],
])('%s with named exports exports all that its production file does', async (_, file) => {
  const absolute = path.join(root, 'node_modules', file);
  const stock: Record<string, unknown> = require(absolute);
  const source = `import { createRequire } from 'node:module';
const require = createRequire(${JSON.stringify(import.meta.url)});
${namedExports(absolute)}`;
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const { default: all, ...named } = await import(/* @vite-ignore */ url);
  expect(all).toBe(stock);
  expect(named).toEqual(stock);
});
