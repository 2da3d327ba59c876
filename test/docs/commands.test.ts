import { expect, test } from 'vitest';
import { commandsPage } from '../../.config/command-docs.ts';
import { commandTable } from '../../source/commands/table/command-table.ts';
import { flagsOf } from '../../source/commands/table/shared-flags.ts';
import { parseCommand } from '../../source/commands/table/parse-command.ts';
import { readDocument } from './documents.ts';

// `npm run docs` writes it.
test('docs/commands.md has the commands of the table', () => {
  expect(readDocument('docs/commands.md')).toBe(commandsPage(commandTable));
});

test('the parser accepts every example of a command', () => {
  for (const { path, examples = [] } of commandTable) {
    for (const { line } of examples) {
      // A shell reads what is around the words of the command.
      const [, typed = ''] = /(?:^|[\s(;])hostdeck ([^|<>();]*)/.exec(line) ?? [];
      const words = typed.trim().split(' ');
      const parsed = parseCommand(words, commandTable);
      expect([line, parsed.kind]).not.toEqual([line, 'usage']);
      expect(words.slice(0, path.length)).toEqual(path);
    }
  }
});

/** Returns the flags that a file declares for meow. */
function declaredFlags(file: string): readonly string[] {
  const found = readDocument(file).matchAll(/^ *(\w+): \{ type: '(?:string|boolean)'/gm);
  return [...found].map(([, name = '']) =>
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
}

test('the table describes the flags that the console and host read', () => {
  const described = (isOurs: (noun: string | undefined) => boolean) =>
    commandTable
      .filter(({ kind, path }) => kind === 'program' && isOurs(path[0]))
      .flatMap((command) => Object.keys(flagsOf(command)))
      .filter((name) => name !== 'help' && name !== 'version');
  const sorted = (names: readonly string[]) => [...new Set(names)].toSorted();
  expect(sorted(described((noun) => noun === 'host'))).toEqual(
    sorted(declaredFlags('source/config/host-arguments.ts')),
  );
  expect(sorted(described((noun) => noun !== 'host'))).toEqual(
    sorted(declaredFlags('source/config/arguments.ts')),
  );
});
