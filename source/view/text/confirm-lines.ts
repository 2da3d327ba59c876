import { type ConfirmBox, mayAnswer, type Option } from '../../store/prompts/confirm.ts';
import { column, lineWidth, sliceLine, wrapWords } from './fit.ts';
import { type Line, plain, span } from './line.ts';

/**
 * What a box says, `width` cells wide and in no more than `room` rows: its lines, then its options.
 * Where not all of it fits, the chosen option is among what is seen.
 */
export function questionLines(box: ConfirmBox, width: number, room: number): readonly Line[] {
  const { question } = box;
  const said = question.lines.flatMap((line) => wrapWords(plain(line), width));
  const hasMeanings = question.options.some(({ meaning }) => meaning !== undefined);
  const options = hasMeanings ? optionRows(box) : [buttonRow(box, width)];
  const least = Math.min(options.length, leastOptions);
  const shown = Math.max(least, Math.min(options.length, room - said.length - 1));
  const first = hasMeanings ? firstShown(box.chosen, options.length, shown) : 0;
  const gap: readonly Line[] = said.length + shown < room ? [[]] : [];
  return [...cutTo(said, room - shown), ...gap, ...options.slice(first, first + shown)];
}

/** Cells for what is typed, at least: below that, the word stands in a row of its own. */
const leastField = 12;

/**
 * The same of a box that wants a word: what stands above the field, what stands before what is
 * typed, and what stands below. `room` is without the field.
 */
export function typedLines(
  box: ConfirmBox,
  width: number,
  room: number,
): { readonly above: readonly Line[]; readonly prompt: string; readonly below: readonly Line[] } {
  const { typed = '', lines } = box.question;
  const prompt = `Type ${typed}: `;
  const isLong = lineWidth(plain(prompt)) > width - leastField;
  const asked = isLong ? wrapWords(plain(prompt), width) : [];
  const said = lines.flatMap((line) => wrapWords(plain(line), width));
  const buttons = buttonRow(box, width);
  const blanks = room - said.length - asked.length - 1;
  const above = cutTo(said, room - asked.length - 1);
  return {
    above: [...above, ...(blanks > 0 ? [[]] : []), ...asked],
    prompt: isLong ? '> ' : prompt,
    below: [...(blanks > 1 ? [[]] : []), buttons],
  };
}

/** As many lines as there is room for: nothing that a box says is left out without a word. */
function cutTo(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines;
  if (room < 1) return [];
  const more = lines.length - room + 1;
  return [...lines.slice(0, room - 1), [span(`${more} more lines in a taller window`, 'quiet')]];
}

/** Options that are seen in a terminal however low: the chosen one and that next to it. */
const leastOptions = 2;

/** Which of `count` rows is the first to be seen in so many, the chosen one amid them. */
export function firstShown(chosen: number, count: number, room: number): number {
  return Math.max(0, Math.min(chosen - Math.floor(room / 2), count - room));
}

/** Buttons in a row of `width` cells, moved sideways where the chosen one would not be seen. */
export function fitButtons(buttons: Line, chosen: number, width: number): Line {
  const end = lineWidth(buttons.slice(0, chosen + 1));
  return end <= width ? buttons : sliceLine(buttons, end - width);
}

function optionRows({ question, chosen }: ConfirmBox): readonly Line[] {
  const longest = Math.max(...question.options.map(({ label }) => label.length));
  return question.options.map((option, index) => [
    span(`${index === chosen ? '>' : ' '} `),
    span(column(option.label, longest + 3), index === chosen ? tokenOf(option) : undefined),
    span(option.meaning ?? '', 'quiet'),
  ]);
}

function buttonRow(box: ConfirmBox, width: number): Line {
  const { options, typed, typedIs = 'name' } = box.question;
  const isLocked = typed !== undefined && typed !== box.text;
  const buttons = options.map((option, index) => {
    const isChosen = index === box.chosen;
    const locked = isLocked && index === options.length - 1;
    const why = locked ? ` (${typedIs} does not match yet)` : '';
    const token = isChosen && mayAnswer(box) ? tokenOf(option) : undefined;
    return [span(isChosen ? `[${option.label}]` : option.label, token), span(`${why}   `)];
  });
  return fitButtons(buttons.flat(), 2 * box.chosen, width);
}

function tokenOf(option: Option): 'danger' | 'focus' {
  return option.destroys === true ? 'danger' : 'focus';
}
