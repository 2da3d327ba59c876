import type { Node, YAMLError } from 'yaml';
import { quoted } from './shown-value.ts';

/** A mistake where a person would look for it, and in words that say what to do. */
export interface YamlMistake {
  readonly offset: number;
  readonly sentence: string;
}

/**
 * The mistakes behind the errors of a YAML parser: at most one a line, and none that only follows
 * from another.
 * @param unclosed nodes without their closing bracket, brace or quote.
 */
export function yamlMistakes(
  text: string,
  errors: readonly YAMLError[],
  unclosed: readonly Node[],
): readonly YamlMistake[] {
  const lineStart = lineStarts(text);
  const around = { text, errors, lineStart, openings: unclosed.map(startOf) };
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  if (tabs.length > 0) {
    return tabs.map((error) => ({ offset: tabAt(around, error), sentence: tab }));
  }
  const lines = new Set<number>();
  return errors.flatMap((error, index) => {
    if (error.pos[0] === errors[index - 1]?.pos[0]) return [];
    const mistake = wordings[error.code]?.(error, around) ?? {
      offset: error.pos[0],
      sentence: `Not valid YAML: ${error.message}.`,
    };
    const line = lineStart(mistake.offset);
    if (lines.has(line)) return [];
    lines.add(line);
    return [mistake];
  });
}

const tab = 'Indent with spaces: YAML takes no tabs there.';

interface Around {
  readonly text: string;
  readonly errors: readonly YAMLError[];
  /** Offsets of brackets, braces and quotes that are never closed. */
  readonly openings: readonly number[];
  /** Where the line at an offset begins. */
  readonly lineStart: (offset: number) => number;
}

type Wording = (error: YAMLError, around: Around) => YamlMistake;

const wordings: Partial<Readonly<Record<YAMLError['code'], Wording>>> = {
  BLOCK_AS_IMPLICIT_KEY({ pos: [offset], message }, around) {
    if (message.includes('sequence')) return unaligned(around, offset);
    const below = around.errors.find((each) => isMultiline(each) && each.pos[0] === offset);
    return below === undefined
      ? { offset, sentence: 'A second ": " in this line: put the value in quotes.' }
      : { offset: lineText(around, below.pos[1] - 1), sentence: 'This line is indented too deep.' };
  },

  MULTILINE_IMPLICIT_KEY: ({ pos: [offset] }, { text }) => colonMissing(text, offset),

  MISSING_CHAR(error, around) {
    const { message, pos } = error;
    if (message.startsWith('Missing ,'))
      return { offset: pos[0], sentence: 'A comma is missing here.' };
    if (/separated|^Missing space/.test(message))
      return { offset: pos[0], sentence: 'A blank is missing here.' };
    if (message.includes('directives-end marker'))
      return { offset: pos[0], sentence: 'Begin a new line after ---.' };
    if (message.startsWith('Missing directives-end'))
      return { offset: pos[0], sentence: 'A line with --- is missing before this.' };
    return neverClosed(error, around) ?? colonMissing(around.text, pos[0]);
  },

  BAD_INDENT: (error, around) => neverClosed(error, around) ?? unaligned(around, error.pos[0]),

  BAD_SCALAR_START: ({ pos: [offset] }, { text }) => ({
    offset,
    sentence: `Put text that begins with ${text[offset]} in quotes.`,
  }),

  BAD_DQ_ESCAPE: ({ pos: [offset] }, { text }) => ({
    offset,
    sentence: `${text.slice(offset, offset + 2)} means nothing in double quotes: write \\\\ for a backslash.`,
  }),

  UNEXPECTED_TOKEN({ pos: [offset] }, { text }) {
    const character = text[offset] ?? '';
    return {
      offset,
      sentence: /[\]}]/.test(character)
        ? `This ${character} closes nothing.`
        : 'The value ends before this: put all of it in quotes.',
    };
  },
};

/** Marked where it opens: the error stands where the text ends, or goes on with something else. */
function neverClosed({ message, pos }: YAMLError, { text, openings }: Around) {
  const offset = openings.findLast((each) => each < pos[0]);
  if (offset === undefined || !/clos|end with/.test(message)) return undefined;
  return { offset, sentence: `This ${text[offset]} is never closed.` };
}

function unaligned(around: Around, offset: number): YamlMistake {
  return {
    offset: lineText(around, offset),
    sentence: 'Indent this line like those it belongs to.',
  };
}

function isMultiline({ code }: YAMLError): boolean {
  return code === 'MULTILINE_IMPLICIT_KEY';
}

/** A key without a value: the space behind its colon is missing, or the colon. */
function colonMissing(text: string, offset: number): YamlMistake {
  const [line = ''] = text.slice(offset, offset + 200).split(/\r?\n/);
  const [, key] = /^([\w.-]+):\S/.exec(line) ?? [];
  const sentence =
    key === undefined
      ? `":" and a value are missing after ${quoted(line.trim())}.`
      : `A space is missing after "${key}:".`;
  return { offset, sentence };
}

function tabAt({ text, lineStart }: Around, { pos }: YAMLError): number {
  const found = text.indexOf('\t', lineStart(pos[0]));
  return found === -1 ? pos[0] : found;
}

function startOf({ range }: Node): number {
  return range?.[0] ?? 0;
}

/** Looks a line up once: one that is as long as the text may be wrong at every character. */
function lineStarts(text: string): (offset: number) => number {
  let start = 0;
  let end = -1;
  return (offset) => {
    if (offset < start || offset > end) {
      start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
      const found = text.indexOf('\n', offset);
      end = found === -1 ? text.length : found;
    }
    return start;
  };
}

/** Where the text of the line at an offset begins, behind its indentation. */
function lineText({ text, lineStart }: Around, offset: number): number {
  const start = lineStart(offset);
  const indent = /^ */.exec(text.slice(start, start + 1000))?.[0].length ?? 0;
  return start + indent;
}
