/** Rewords the errors of the YAML parser for people and moves them to their cause. */
import type { Node, YAMLError } from 'yaml';
import { quoteName } from './shown-text.ts';

/** A YAML mistake at its cause, with a sentence for people. */
export interface YamlMistake {
  readonly offset: number;
  readonly sentence: string;
}

/**
 * Returns the mistakes behind the errors of the YAML parser, at most one in each line and without
 * consequential errors.
 * @param unclosed nodes without their closing bracket, brace or quote.
 */
export function explainYamlErrors(
  text: string,
  errors: readonly YAMLError[],
  unclosed: readonly Node[],
): readonly YamlMistake[] {
  const lineStart = lineStarts(text);
  const context = { text, errors, lineStart, openings: unclosed.map(startOf) };
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  if (tabs.length > 0) {
    return tabs.map((error) => ({ offset: tabAt(context, error), sentence: tab }));
  }
  const lines = new Set<number>();
  return errors.flatMap((error, index) => {
    if (error.pos[0] === errors[index - 1]?.pos[0]) return [];
    const mistake = wordings[error.code]?.(error, context) ?? {
      offset: error.pos[0],
      sentence: `Not valid YAML: ${error.message}.`,
    };
    const line = lineStart(mistake.offset);
    if (lines.has(line)) return [];
    lines.add(line);
    return [mistake];
  });
}

const tab = "Indent with spaces: YAML doesn't allow tabs here.";

interface ErrorContext {
  readonly text: string;
  readonly errors: readonly YAMLError[];
  /** Offsets of brackets, braces and quotes that are never closed. */
  readonly openings: readonly number[];
  /** Returns the start of the line at an offset. */
  readonly lineStart: (offset: number) => number;
}

type Wording = (error: YAMLError, context: ErrorContext) => YamlMistake;

const wordings: Partial<Readonly<Record<YAMLError['code'], Wording>>> = {
  BLOCK_AS_IMPLICIT_KEY({ pos: [offset], message }, context) {
    if (message.includes('sequence')) return unaligned(context, offset);
    const below = context.errors.find((each) => isMultiline(each) && each.pos[0] === offset);
    return below === undefined
      ? { offset, sentence: 'This line has a second ": ". Put the value in quotes.' }
      : {
          offset: lineTextStart(context, below.pos[1] - 1),
          sentence: 'This line is indented too far.',
        };
  },

  MULTILINE_IMPLICIT_KEY: ({ pos: [offset] }, { text }) => missingColon(text, offset),

  MISSING_CHAR(error, context) {
    const { message, pos } = error;
    if (message.startsWith('Missing ,'))
      return { offset: pos[0], sentence: 'A comma is missing here.' };
    if (/separated|^Missing space/.test(message))
      return { offset: pos[0], sentence: 'A space is missing here.' };
    if (message.includes('directives-end marker'))
      return { offset: pos[0], sentence: 'Start a new line after ---.' };
    if (message.startsWith('Missing directives-end'))
      return { offset: pos[0], sentence: 'A line with --- is missing before this.' };
    return neverClosed(error, context) ?? missingColon(context.text, pos[0]);
  },

  BAD_INDENT: (error, context) => neverClosed(error, context) ?? unaligned(context, error.pos[0]),

  BAD_SCALAR_START: ({ pos: [offset] }, { text }) => ({
    offset,
    sentence: `Put text that starts with ${text[offset]} in quotes.`,
  }),

  BAD_DQ_ESCAPE: ({ pos: [offset] }, { text }) => ({
    offset,
    sentence: `${text.slice(offset, offset + 2)} is not a valid escape in double quotes. Write \\\\ for a backslash.`,
  }),

  UNEXPECTED_TOKEN({ pos: [offset] }, { text }) {
    const character = text[offset] ?? '';
    return {
      offset,
      sentence: /[\]}]/.test(character)
        ? `This ${character} has no opening bracket.`
        : 'The value ends before this. Put the whole value in quotes.',
    };
  },
};

/** Returns an unclosed bracket or quote at its start; the parser reports it where the text ends. */
function neverClosed({ message, pos }: YAMLError, { text, openings }: ErrorContext) {
  const offset = openings.findLast((each) => each < pos[0]);
  if (offset === undefined || !/clos|end with/.test(message)) return undefined;
  return { offset, sentence: `This ${text[offset]} is never closed.` };
}

function unaligned(context: ErrorContext, offset: number): YamlMistake {
  return {
    offset: lineTextStart(context, offset),
    sentence: 'Indent this line like the others at its level.',
  };
}

function isMultiline({ code }: YAMLError): boolean {
  return code === 'MULTILINE_IMPLICIT_KEY';
}

/** Returns the mistake of a key without a value: a missing space after its colon, or no colon. */
function missingColon(text: string, offset: number): YamlMistake {
  const [line = ''] = text.slice(offset, offset + 200).split(/\r?\n/);
  const [, key] = /^([\w.-]+):\S/.exec(line) ?? [];
  const sentence =
    key === undefined
      ? `":" and a value are missing after ${quoteName(line.trim())}.`
      : `A space is missing after "${key}:".`;
  return { offset, sentence };
}

function tabAt({ text, lineStart }: ErrorContext, { pos }: YAMLError): number {
  const index = text.indexOf('\t', lineStart(pos[0]));
  return index === -1 ? pos[0] : index;
}

function startOf({ range }: Node): number {
  return range?.[0] ?? 0;
}

/** Returns a line lookup that caches the last line, because a long line may have many errors. */
function lineStarts(text: string): (offset: number) => number {
  let start = 0;
  let end = -1;
  return (offset) => {
    if (offset < start || offset > end) {
      start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
      const index = text.indexOf('\n', offset);
      end = index === -1 ? text.length : index;
    }
    return start;
  };
}

/** Returns the start of a line's text, after its indentation. */
function lineTextStart({ text, lineStart }: ErrorContext, offset: number): number {
  const start = lineStart(offset);
  const indent = /^ */.exec(text.slice(start, start + 1000))?.[0].length ?? 0;
  return start + indent;
}
