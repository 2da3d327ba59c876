import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { commandTable } from '../../source/commands/table/command-table.ts';
import { parseCommand } from '../../source/commands/table/parse-command.ts';
import { readArguments } from '../../source/config/arguments.ts';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { documents, readDocument, root } from './documents.ts';

/** Returns the hostdeck command lines of a document: those of its blocks and those in its sentences. */
function commandLines(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```\n([^]*?)^```/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) =>
    [...block.matchAll(/^(?:HOSTDECK_\S+ )*(hostdeck(?: .*)?)$/gm)].map(([, line = '']) => line),
  );
  const spans = [...text.matchAll(/`(hostdeck(?: [^`\n]+)?)`/g)].map(([, line = '']) => line);
  return [...lines, ...spans]
    .map((line) => line.split(/ {3,}| \| /)[0]?.trim() ?? '')
    .filter((line) => !/[A-Z]{2,}/.test(line));
}

/** Returns the anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

test('the documents are all texts of docs', () => {
  const names = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const files = names.map((name) => `docs/${name}`);
  expect(files.toSorted()).toEqual(documents.filter((name) => name.startsWith('docs/')).toSorted());
});

test.each(['README.md', 'docs/console.md', 'docs/host.md'])(
  'hostdeck accepts every command line of %s',
  (document) => {
    const lines = commandLines(readDocument(document));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      // The documents leave the digits of an address out.
      const words = line
        .replace('0x...', `0x${'5a'.repeat(20)}`)
        .split(' ')
        .slice(1);
      const parsed = parseCommand(words, commandTable);
      const { kind } = parsed.kind === 'program' ? readArguments(words) : parsed;
      expect([line, kind]).not.toEqual([line, 'usage']);
    }
  },
);

test('the host accepts the definition of docs/host.md', () => {
  const [, sdl = ''] = /```yaml\n([^]*?)```/.exec(readDocument('docs/host.md')) ?? [];
  expect(parseSdl(sdl)).toMatchObject({ ok: true, definition: { name: 'shop' } });
});

describe.each(documents)('%s', (document) => {
  const text = readDocument(document);

  test('names only scripts of package.json', () => {
    const named = [...text.matchAll(/\bnpm run (?:--?\S+ )*([a-z]+)/g)].map(
      ([, name = '']) => name,
    );
    const unknown = named.filter((name) => !(name in packageJson.scripts));
    expect(unknown).toEqual([]);
  });

  test('links only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? document : path.join(path.dirname(document), file);
      if (!existsSync(path.join(root, target))) return true;
      const headings = [...readDocument(target).matchAll(/^#+ (.*)$/gm)];
      return anchor !== undefined && !headings.some(([, one = '']) => anchorOf(one) === anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

test('docs/measurements.md names every measure of the benchmark', () => {
  const [, table = ''] = /^const measures.* = \{\n([^]*?)^\};/m.exec(
    readDocument('test/bench/run.ts'),
  ) ?? [''];
  const measures = [...table.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name = '']) => name);
  const page = readDocument('docs/measurements.md');
  expect(measures.length).toBeGreaterThan(10);
  expect(measures.filter((name) => !page.includes(`-- ${name}\``))).toEqual([]);
});
