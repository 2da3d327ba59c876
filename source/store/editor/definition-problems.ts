import type { Text } from '@codemirror/state';
import type { ErrorDetail } from '../../client/http/errors.ts';
import type { TextProblem } from '../../editor/problems.ts';

/** Problems together with the texts of their lines at the time of the check. */
export interface PinnedProblems {
  readonly problems: readonly TextProblem[];
  /** Number of lines of the checked text. */
  readonly lines: number;
  /** Text of the line of each problem. */
  readonly lineTexts: readonly string[];
}

export const noProblems: PinnedProblems = { problems: [], lines: 1, lineTexts: [] };

/** Stores problems with the texts of their lines; a line beyond the end becomes the last line. */
export function pinProblems(problems: readonly TextProblem[], doc: Text): PinnedProblems {
  const clamped = problems.map((problem) => ({
    ...problem,
    line: Math.max(1, Math.min(problem.line, doc.lines)),
  }));
  const lineTexts = clamped.map(({ line }) => doc.line(line).text);
  return { problems: clamped, lines: doc.lines, lineTexts };
}

/**
 * Returns the problems whose lines are unchanged, also after lines were added or removed above them.
 * An edited line loses its problem, because the edit may have fixed it.
 */
export function stillThere(
  { problems, lines, lineTexts }: PinnedProblems,
  doc: Text,
): readonly TextProblem[] {
  const shift = doc.lines - lines;
  return problems.flatMap((problem, index) => {
    const line = [problem.line, problem.line + shift].find(
      (candidate) =>
        candidate >= 1 && candidate <= doc.lines && doc.line(candidate).text === lineTexts[index],
    );
    return line === undefined ? [] : [{ ...problem, line }];
  });
}

const maxProblems = 100;

/**
 * Merges lists of problems, sorted by line, one problem a line. An error wins over a warning, then
 * the first list wins.
 */
export function mergeProblems(
  ...lists: readonly (readonly TextProblem[])[]
): readonly TextProblem[] {
  const byLine = new Map<number, TextProblem>();
  for (const list of lists) {
    for (const problem of list) {
      const before = byLine.get(problem.line);
      const isWorse = before?.isWarning === true && problem.isWarning !== true;
      if (before === undefined || isWorse) byLine.set(problem.line, problem);
    }
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line).slice(0, maxProblems);
}

/** Converts the service's error details that name a line into problems of the text. */
export function problemsOfRefusal(details: readonly ErrorDetail[]): readonly TextProblem[] {
  return details.flatMap(({ field, message, line, column = 1 }) => {
    if (line === undefined) return [];
    return [{ line, column, sentence: `The service: ${detailSentence({ field, message })}` }];
  });
}

/** Formats a detail as one sentence: its first line, because parsers append an excerpt below. */
export function detailSentence({ field, message }: Pick<ErrorDetail, 'message' | 'field'>): string {
  const [first = ''] = message.split('\n');
  const text = field === undefined ? first : `${field}: ${first}`;
  return /[.!?]$/.test(text) ? text : `${text.replace(/[\s:,;]+$/, '')}.`;
}
