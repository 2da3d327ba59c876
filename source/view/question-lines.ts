import { type Asking, mayAnswer, type Option } from '../store/question.ts';
import { column, wrapWords } from './fit.ts';
import { type Line, plain, span } from './line.ts';

/** What a box says, `width` cells wide: its lines, then its options. */
export function questionLines(box: Asking, width: number): readonly Line[] {
  const { question } = box;
  const said = question.lines.flatMap((line) => wrapWords(plain(line), width));
  const hasMeanings = question.options.some(({ meaning }) => meaning !== undefined);
  return [...said, [], ...(hasMeanings ? optionRows(box) : [buttonRow(box)])];
}

function optionRows({ question, chosen }: Asking): readonly Line[] {
  const longest = Math.max(...question.options.map(({ label }) => label.length));
  return question.options.map((option, index) => [
    span(`${index === chosen ? '>' : ' '} `),
    span(column(option.label, longest + 3), index === chosen ? tokenOf(option) : undefined),
    span(option.meaning ?? '', 'quiet'),
  ]);
}

function buttonRow(box: Asking): Line {
  const { options, typed } = box.question;
  const isLocked = typed !== undefined && typed !== box.text;
  return options.flatMap((option, index) => {
    const isChosen = index === box.chosen;
    const locked = isLocked && index === options.length - 1;
    const why = locked ? ' (name does not match yet)' : '';
    const token = isChosen && mayAnswer(box) ? tokenOf(option) : undefined;
    return [span(isChosen ? `[${option.label}]` : option.label, token), span(`${why}   `)];
  });
}

function tokenOf(option: Option): 'danger' | 'focus' {
  return option.destroys === true ? 'danger' : 'focus';
}
