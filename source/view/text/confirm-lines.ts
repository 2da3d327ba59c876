import {
  type Confirmation,
  type ConfirmBox,
  type ConfirmExcerpt,
  type ConfirmFact,
  type ConfirmLine,
  mayAnswer,
  type Option,
} from '../../store/prompts/confirm.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { BoxShape } from './box-shape.ts';
import { column, lineWidth, wrapWords } from './fit.ts';
import { atStop, type Line, plain, type Span, span } from './line.ts';

/** Returns the text of a box in rows of at most `width` cells. */
export function confirmBody(
  { lines }: Pick<Confirmation, 'lines'>,
  width: number,
): readonly Line[] {
  const longest = Math.max(0, ...lines.filter(isExcerpt).map(({ excerpt }) => excerpt.length));
  return lines.flatMap((line) => {
    if (typeof line === 'string')
      return wrapWords(plain(sanitize(line, { tab: 'visible' })), width);
    return isExcerpt(line) ? [excerptRow(line, longest, width)] : factRows(line, width);
  });
}

function isExcerpt(line: ConfirmLine): line is ConfirmExcerpt {
  return typeof line === 'object' && 'excerpt' in line;
}

/** Cells between an excerpt and its note. */
const excerptGap = 6;

function excerptRow({ excerpt, note }: ConfirmExcerpt, longest: number, width: number): Line {
  const room = Math.min(longest + excerptGap, width - note.length);
  return [span(column(excerpt, room)), span(note, 'quiet')];
}

/** Cells of the labels of facts. */
const labelCells = 10;

/** Returns the rows of a fact; a word that is too long for its column takes whole rows. */
function factRows({ label, values }: ConfirmFact, width: number): readonly Line[] {
  const inner = width - labelCells;
  return values.flatMap((value, index) => {
    const head = span(column(index === 0 ? label : '', labelCells));
    const line = plain(value);
    if (index > 0 && !value.includes(' ') && lineWidth(line) > inner) return wrapWords(line, width);
    const indent = span(' '.repeat(labelCells));
    return wrapWords(line, inner).map((row, at) => [at === 0 ? head : indent].concat(row));
  });
}

/** Minimum cells of the field; a narrower box puts the prompt in a row of its own. */
const minFieldWidth = 12;

/** Returns the prompt of a field for the word `typed`, and the rows above a field too narrow for it. */
export function typedPrompt(
  typed: string,
  width: number,
): { readonly above: readonly Line[]; readonly prompt: string } {
  const prompt = `Type ${typed}: `;
  const isLong = lineWidth(plain(prompt)) > width - minFieldWidth;
  return isLong ? { above: wrapWords(plain(prompt), width), prompt: '> ' } : { above: [], prompt };
}

/** Rows of the text that stay visible above many options. */
const minTextRows = 2;

/** Options that any terminal shows: the chosen one and a neighbour. */
const minOptions = 2;

/**
 * Returns the options of a box below a text of `textRows` rows: buttons, or a list when they have
 * meanings. A sheet explains the chosen one only. When not all options fit, the chosen one stays
 * visible.
 */
export function answerRows(
  box: ConfirmBox,
  { isSheet, inner, room }: BoxShape,
  textRows: number,
): readonly Line[] {
  if (!hasMeanings(box.question)) return confirmButtons(box, inner);
  const options = optionRows(box, inner);
  const least = Math.min(options.length, minOptions);
  // A sheet keeps the rows that the longest explanation needs below its option.
  const below = isSheet ? options.map((option) => meaningBelow(option, inner)) : [];
  const reserved = Math.max(0, ...below.map(({ length }) => length));
  const free = room - reserved - (isSheet ? 0 : 1) - Math.min(textRows, minTextRows);
  const shown = Math.max(least, Math.min(options.length, free));
  const first = firstShown(box.chosen, options.length, shown);
  const listed = options.slice(first, first + shown);
  if (!isSheet) return listed.map(({ label, meaning }) => label.concat(meaning));
  const own = below[box.chosen] ?? [];
  const rows = listed.flatMap(({ label, meaning }, index) => {
    if (first + index !== box.chosen) return [label];
    return own.length === 0 ? [label.concat(meaning)] : [label].concat(own);
  });
  return [...rows, ...Array.from({ length: reserved - own.length }, () => [])];
}

/** Returns whether the options of a box are a list with explanations. */
export function hasMeanings({ options }: Pick<Confirmation, 'options'>): boolean {
  return options.some(({ meaning }) => meaning !== undefined);
}

/** Returns the first of `count` rows to show in `room` rows, with the chosen row centred. */
export function firstShown(chosen: number, count: number, room: number): number {
  return Math.max(0, Math.min(chosen - Math.floor(room / 2), count - room));
}

/** Returns buttons in as few rows of `width` cells as they need. */
export function buttonRows(buttons: readonly Line[], width: number): readonly Line[] {
  const rows: Line[] = [];
  for (const button of buttons) {
    const row = rows.at(-1);
    const joined = row === undefined ? button : [...row, span('   '), ...button];
    if (row !== undefined && lineWidth(joined) <= width) rows[rows.length - 1] = joined;
    else rows.push(...wrapWords(button, width));
  }
  return rows;
}

/** Returns a button of a row: `[Cancel]` while it is selected, else `Cancel`. */
export function selectedButton(
  label: string,
  index: number,
  isSelected: boolean,
  token: 'danger' | 'focus' | undefined,
): Line {
  const stop = { kind: 'button', index, name: label } as const;
  return atStop(isSelected ? [span(`[${label}]`, token)] : [span(label)], stop);
}

/** Cells of the labels in a list of options, where its meanings have room behind them. */
const optionCells = 18;

interface OptionRow {
  readonly label: Line;
  readonly meaning: Span;
}

function optionRows({ question, chosen }: ConfirmBox, width: number): readonly OptionRow[] {
  const { options } = question;
  const longest = Math.max(...options.map(({ label }) => label.length)) + 2;
  const room = width - 2 - Math.max(...options.map(({ meaning = '' }) => meaning.length));
  const cells = Math.max(longest, Math.min(optionCells, room));
  return options.map((option, index) => {
    const stop = { kind: 'button', index, name: option.label } as const;
    const label = [
      span(`${index === chosen ? '>' : ' '} `),
      span(column(option.label, cells), index === chosen ? tokenOf(option) : undefined),
    ];
    return {
      label: atStop(label, stop),
      meaning: { ...span(option.meaning ?? '', 'quiet'), stop },
    };
  });
}

const meaningIndent = '    ';

/** Returns the meaning of an option in rows below it; empty where it fits beside the label. */
function meaningBelow({ label, meaning }: OptionRow, width: number): readonly Line[] {
  if (lineWidth(label.concat(meaning)) <= width) return [];
  const rows = wrapWords([meaning], width - meaningIndent.length);
  return rows.map((row) => [span(meaningIndent)].concat(row));
}

function confirmButtons(box: ConfirmBox, width: number): readonly Line[] {
  const { options, typed, typedIs = 'name' } = box.question;
  const isLocked = typed !== undefined && typed !== box.text;
  const buttons = options.map((option, index) => {
    const token = mayAnswer(box) ? tokenOf(option) : undefined;
    const button = selectedButton(option.label, index, index === box.chosen, token);
    const locked = isLocked && index === options.length - 1;
    return locked ? button.concat(span(` (type the ${typedIs} to enable)`)) : button;
  });
  return buttonRows(buttons, width);
}

function tokenOf(option: Option): 'danger' | 'focus' {
  return option.destroys === true ? 'danger' : 'focus';
}
