import { describe, expect, test } from 'vitest';
import { filesBelow, sources, tests, textOf } from './sources.ts';

/** First words of sentences without a subject, and of inversions. */
const inverted = /^(?:What|Who|That|Of|Whom|Where|As|How|Why|Which|So)\b/;

/** Every module of the repository except this one, whose sample comments are inverted. */
const modules = [...sources, ...tests, ...filesBelow('.config')].filter(
  (file) => /\.tsx?$/.test(file) && file !== 'test/architecture/language.test.ts',
);

/** Most names that two modules may export. */
const mostDoubled = 5;

/** Returns the first line of every comment; full lines of `//` that follow each other are one comment. */
function commentsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/\/\*\*?\s*(?:\*\s*)?([^\s*][^\n]*)/g)];
  const lines = text.split('\n');
  const isContinued = (at: number) => at > 0 && /^\s*\/\/ /.test(lines[at - 1] ?? '');
  const inLines = lines.map((line, at) => {
    const found = /(^|\s)\/\/ (.*)$/.exec(line);
    return found !== null && /^\s*\/\//.test(line) && isContinued(at) ? null : found;
  });
  return [
    ...blocks.map(([, first = '']) => first),
    ...inLines.flatMap((found) => (found === null ? [] : [found[2] ?? ''])),
  ];
}

/** Returns the names that a module declares and exports. */
function exportsOf(text: string): ReadonlySet<string> {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|let|enum) (\w+)/gm;
  return new Set([...text.matchAll(declared)].map(([, name = '']) => name));
}

describe('the language of the code', () => {
  test('begins comments with their subject or verb', () => {
    const found = modules.flatMap((file) =>
      commentsOf(textOf(file))
        .filter((comment) => inverted.test(comment))
        .map((comment) => `${file}: ${comment}`),
    );
    expect(found).toEqual([]);
  });

  test('gives one name one meaning', () => {
    const files = new Map<string, string[]>();
    for (const file of sources) {
      for (const name of exportsOf(textOf(file))) {
        files.set(name, [...(files.get(name) ?? []), file]);
      }
    }
    const doubled = [...files].filter(([, found]) => found.length > 1);
    expect(doubled.slice(mostDoubled)).toEqual([]);
  });
});

test('the check of comments sees the beginning of each, and no other line', () => {
  const text = `
/** What it is. */
/**
 * Returns a thing.
 * What follows is no beginning.
 */
const a = 1; // Who knows
// Of lines that follow each other
// What counts is the first.
/* As it is */
`;
  expect(
    commentsOf(text)
      .filter((comment) => inverted.test(comment))
      .sort(),
  ).toEqual(['As it is */', 'Of lines that follow each other', 'What it is. */', 'Who knows']);
});
