import { describe, expect, it } from 'vitest';
import { outcomeOf, readCorpus } from './corpus.ts';

describe.each(readCorpus())('%s', (_, cases) => {
  it.each(cases)('$title', ({ text, outcome }) => {
    expect(outcomeOf(text)).toEqual(outcome);
  });

  it.each(cases)('$title, with CRLF line ends', ({ text, outcome }) => {
    const lines = outcomeOf(text.replaceAll('\n', '\r\n'));
    // Values of several lines keep their line ends.
    expect(lines.map((line) => line.replaceAll(String.raw`\r\n`, String.raw`\n`))).toEqual(outcome);
  });
});
