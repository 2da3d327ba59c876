import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { conditionForms } from '../../source/config/read-alerts.ts';
import { readDocument, root } from './documents.ts';

const page = readDocument('docs/configuration.md');

/** Flags of meow for every command. */
const commonFlags = ['--help', '--version'];

/** Returns the different matches of the expression's first group, in order. */
function matchesOf(expression: RegExp, text: string): readonly string[] {
  const found = [...text.matchAll(expression)].map(([, match = '']) => match);
  return [...new Set(found)].toSorted();
}

/** Returns the flags that a file declares for meow; `--no-...` for those that are set by default. */
function declaredFlags(file: string): readonly string[] {
  const declarations = readDocument(file).matchAll(
    /^ *(\w+): \{ type: '(?:string|boolean)'(, default: true)?/gm,
  );
  return [...declarations].map(([, name = '', isSet]) => {
    const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${isSet === undefined ? '' : 'no-'}${kebab}`;
  });
}

test('the page lists the forms of the conditions of alerts', () => {
  const [, table = ''] = /\| `when` \|[^\n]*\n([^]*?)\n\n/.exec(page) ?? [];
  expect(matchesOf(/^\| `([^`]+)` \|/gm, table)).toEqual(conditionForms.toSorted());
});

test('the page lists every HOSTDECK_ variable that the program reads or sets, and no other', () => {
  const files = readdirSync(path.join(root, 'source'), { recursive: true, encoding: 'utf8' });
  const source = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readDocument(path.join('source', file)))
    .join('\n');
  const members = matchesOf(/\benv(?:\.|\?\.|\[')(HOSTDECK_[A-Z_]+)/g, source);
  const destructured = matchesOf(/(HOSTDECK_[A-Z_]+)(?=[^{}]*\} = (?:process\.)?env\b)/g, source);
  // Variables that commands of rules get.
  const commands = readDocument('source/commands/watch/alert-commands.ts');
  const given = matchesOf(/^ +(HOSTDECK_[A-Z_]+): /gm, commands);
  const read = [...new Set([...members, ...destructured, ...given])].toSorted();
  expect(read.length).toBeGreaterThan(9);
  expect(matchesOf(/\b(HOSTDECK_[A-Z_]+)/g, page)).toEqual(read);
});

test('the page lists every flag that the program accepts, and no other', () => {
  const [console_, host] = ['source/config/arguments.ts', 'source/config/host-arguments.ts'].map(
    (file) => declaredFlags(file),
  );
  expect(console_).toContain('--restart-delay');
  expect(host).toContain('--trust-wallets');
  const accepted = new Set([...(console_ ?? []), ...(host ?? []), ...commonFlags]);
  expect(matchesOf(/(?<![\w-])(--[a-z][a-z-]*)/g, page)).toEqual([...accepted].toSorted());
});
