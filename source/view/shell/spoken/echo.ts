/** Echoes what a person types, on a terminal on which nothing written is ever changed. */
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import type { HeardField } from './heard.ts';

/** The field whose text was written last. */
export interface Echo {
  readonly field: HeardField | undefined;
  /** True while the text is at the end of the output, so that further characters can follow it. */
  readonly isOpen: boolean;
}

export const noEcho: Echo = { field: undefined, isOpen: false };

/** Output, and the echo after it. */
export interface Echoed {
  readonly output: string;
  readonly echo: Echo;
}

/**
 * Returns the output of lines, and of a field in which a person may have typed. Characters at the end
 * are appended to the line of the field; any other change writes its text again on a new line. A moved
 * caret says the character that it is on.
 */
export function echoStep(
  before: Echo,
  lines: readonly string[],
  field: HeardField | undefined,
): Echoed {
  const said = lines.map((line) => `${sanitize(cutLine(line))}\n`).join('');
  const isFree = !before.isOpen;
  const head = said === '' || isFree ? said : `\n${said}`;
  const isAtEnd = before.isOpen && said === '';
  if (field === undefined) {
    return { output: isAtEnd ? `${head}\n` : head, echo: noEcho };
  }
  const last = before.field;
  if (last === undefined || last.label !== field.label) {
    const end = isAtEnd ? '\n' : '';
    return { output: head + end + whole(field), echo: { field, isOpen: true } };
  }
  if (last.text === field.text) {
    if (last.caret === field.caret) return { output: head, echo: { field, isOpen: isAtEnd } };
    const under = Array.from(field.text.slice(field.caret))[0];
    const caret = under === undefined ? 'end of the text' : `before ${sanitize(under)}`;
    return { output: `${head}${isAtEnd ? '\n' : ''}${caret}\n`, echo: { field, isOpen: false } };
  }
  const isAppended = isAtEnd && last.caret === last.text.length && field.text.startsWith(last.text);
  if (isAppended) {
    const typed = sanitize(field.text.slice(last.text.length));
    return { output: typed, echo: { field, isOpen: true } };
  }
  return {
    output: head + (isAtEnd ? '\n' : '') + whole(field),
    echo: { field, isOpen: true },
  };
}

/** Longest line that is said whole, in code units: a line of a file may have a megabyte. */
const longestLine = 4000;

function cutLine(line: string): string {
  if (line.length <= longestLine) return line;
  // A cut surrogate pair is made visible like any other broken text.
  return `${line.slice(0, longestLine)}, cut`;
}

function whole({ label, text }: HeardField): string {
  return sanitize(label + text);
}
