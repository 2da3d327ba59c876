import {
  type Confirmation,
  type ConfirmBox,
  mayAnswer,
  type Option,
} from '../../store/prompts/confirm.ts';
import type { BoxShape } from './box-shape.ts';
import { column, lineWidth, wrapWords } from './fit.ts';
import { type Line, plain, span } from './line.ts';

/** Returns the text of a box in rows of at most `width` cells. */
export function confirmBody(
  { lines }: Pick<Confirmation, 'lines'>,
  width: number,
): readonly Line[] {
  return lines.flatMap((line) => wrapWords(plain(line), width));
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
 * meanings. A sheet shows buttons and the meaning of the chosen one. When not all options fit, the
 * chosen one stays visible.
 */
export function answerRows(
  box: ConfirmBox,
  { isSheet, inner, room }: BoxShape,
  textRows: number,
): readonly Line[] {
  const hasMeanings = box.question.options.some(({ meaning }) => meaning !== undefined);
  if (!hasMeanings) return confirmButtons(box, inner);
  if (isSheet) return [...confirmButtons(box, inner), ...meaningRows(box, inner)];
  const options = optionRows(box);
  const least = Math.min(options.length, minOptions);
  const free = room - 1 - Math.min(textRows, minTextRows);
  const shown = Math.max(least, Math.min(options.length, free));
  const first = firstShown(box.chosen, options.length, shown);
  return options.slice(first, first + shown);
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
  isSelected: boolean,
  token: 'danger' | 'focus' | undefined,
): Line {
  return isSelected ? [span(`[${label}]`, token)] : [span(label)];
}

function optionRows({ question, chosen }: ConfirmBox): readonly Line[] {
  const longest = Math.max(...question.options.map(({ label }) => label.length));
  return question.options.map((option, index) => [
    span(`${index === chosen ? '>' : ' '} `),
    span(column(option.label, longest + 3), index === chosen ? tokenOf(option) : undefined),
    span(option.meaning ?? '', 'quiet'),
  ]);
}

/** Returns the meaning of the chosen option, in as many rows as the longest meaning needs. */
function meaningRows({ question, chosen }: ConfirmBox, width: number): readonly Line[] {
  const meanings = question.options.map(({ meaning = '' }) =>
    wrapWords([span(meaning, 'quiet')], width),
  );
  const rows = Math.max(...meanings.map(({ length }) => length));
  return Array.from({ length: rows }, (_, row) => meanings[chosen]?.[row] ?? []);
}

function confirmButtons(box: ConfirmBox, width: number): readonly Line[] {
  const { options, typed, typedIs = 'name' } = box.question;
  const isLocked = typed !== undefined && typed !== box.text;
  const buttons = options.map((option, index) => {
    const token = mayAnswer(box) ? tokenOf(option) : undefined;
    const button = selectedButton(option.label, index === box.chosen, token);
    const locked = isLocked && index === options.length - 1;
    return locked ? button.concat(span(` (type the ${typedIs} to enable)`)) : button;
  });
  return buttonRows(buttons, width);
}

function tokenOf(option: Option): 'danger' | 'focus' {
  return option.destroys === true ? 'danger' : 'focus';
}
