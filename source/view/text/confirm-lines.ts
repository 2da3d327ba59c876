import { type ConfirmBox, mayAnswer, type Option } from '../../store/prompts/confirm.ts';
import { column, lineWidth, sliceLine, wrapWords } from './fit.ts';
import { type Line, plain, span } from './line.ts';

/**
 * Returns the lines of a box, then its options, `width` cells wide and at most `room` rows. The
 * chosen option stays visible when not everything fits.
 */
export function confirmLines(box: ConfirmBox, width: number, room: number): readonly Line[] {
  const { question } = box;
  const text = question.lines.flatMap((line) => wrapWords(plain(line), width));
  const hasMeanings = question.options.some(({ meaning }) => meaning !== undefined);
  const options = hasMeanings ? optionRows(box) : [buttonRow(box, width)];
  const least = Math.min(options.length, minOptions);
  const shown = Math.max(least, Math.min(options.length, room - text.length - 1));
  const first = hasMeanings ? firstShown(box.chosen, options.length, shown) : 0;
  const gap: readonly Line[] = text.length + shown < room ? [[]] : [];
  return [...truncateLines(text, room - shown), ...gap, ...options.slice(first, first + shown)];
}

/** Minimum cells of the field; a narrower box puts the prompt in a row of its own. */
const minFieldWidth = 12;

/**
 * Returns the rows above and below the field of a box that expects a typed word, and the prompt of
 * the field. `room` excludes the row of the field.
 */
export function typedLines(
  box: ConfirmBox,
  width: number,
  room: number,
): { readonly above: readonly Line[]; readonly prompt: string; readonly below: readonly Line[] } {
  const { typed = '', lines } = box.question;
  const prompt = `Type ${typed}: `;
  const isLong = lineWidth(plain(prompt)) > width - minFieldWidth;
  const promptRows = isLong ? wrapWords(plain(prompt), width) : [];
  const text = lines.flatMap((line) => wrapWords(plain(line), width));
  const buttons = buttonRow(box, width);
  const blanks = room - text.length - promptRows.length - 1;
  const above = truncateLines(text, room - promptRows.length - 1);
  return {
    above: [...above, ...(blanks > 0 ? [[]] : []), ...promptRows],
    prompt: isLong ? '> ' : prompt,
    below: [...(blanks > 1 ? [[]] : []), buttons],
  };
}

/** Returns the first lines that fit `room` rows; the last row counts the omitted lines. */
function truncateLines(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines;
  if (room < 1) return [];
  const more = lines.length - room + 1;
  return [...lines.slice(0, room - 1), [span(`${more} more below`, 'quiet')]];
}

/** Options that any terminal shows: the chosen one and a neighbour. */
const minOptions = 2;

/** Returns the first of `count` rows to show in `room` rows, with the chosen row centred. */
export function firstShown(chosen: number, count: number, room: number): number {
  return Math.max(0, Math.min(chosen - Math.floor(room / 2), count - room));
}

/** Scrolls a row of buttons left until the chosen one fits `width` cells. */
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
    const condition = locked ? ` (type the ${typedIs} to enable)` : '';
    const token = isChosen && mayAnswer(box) ? tokenOf(option) : undefined;
    return [span(isChosen ? `[${option.label}]` : option.label, token), span(`${condition}   `)];
  });
  return fitButtons(buttons.flat(), 2 * box.chosen, width);
}

function tokenOf(option: Option): 'danger' | 'focus' {
  return option.destroys === true ? 'danger' : 'focus';
}
