import { expect, test } from 'vitest';
import { firstFooterModule, keysPage, readmeKeys } from '../../.config/key-docs.ts';
import { registeredCommands } from '../../source/view/shell/commands.ts';
import { readDocument } from './documents.ts';

const readme = readDocument('README.md');

// `npm run docs` writes all three.
test('the README, docs/keys.md and the first footer have the keys of the registered commands', () => {
  const [, listed = ''] = readme.split(/<!-- \/?keys.*-->\n/);
  expect(listed.trim()).toBe(readmeKeys(registeredCommands));
  expect(readDocument('docs/keys.md')).toBe(keysPage(registeredCommands));
  expect(readDocument('source/start/first-footer.ts')).toBe(firstFooterModule(registeredCommands));
});

test('the README starts with the two commands that install and run hostdeck', () => {
  const [, first] = /```\n([^]*?)```/.exec(readme) ?? [];
  expect(first).toBe('npm ci && npm start\nnpm ci && npm test\n');
});
