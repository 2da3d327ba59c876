import { describe, expect, it } from 'vitest';
import { outcomeOf, readCorpus } from './corpus.ts';

describe.each(readCorpus())('%s', (_, cases) => {
  it.each(cases)('$title', ({ text, outcome }) => {
    expect(outcomeOf(text)).toEqual(outcome);
  });

  it.each(cases)('$title, with the line ends of Windows', ({ text, outcome }) => {
    // Texts of several lines have them, too.
    const told = outcomeOf(text.replaceAll('\n', '\r\n'));
    expect(told.map((line) => line.replaceAll(String.raw`\r\n`, String.raw`\n`))).toEqual(outcome);
  });
});
