import type { Text } from '@codemirror/state';
import type { ErrorDetail } from '../../client/http/errors.ts';
import type { TextProblem } from '../../editor/problems.ts';

/** Problems with the lines as they were when they were found. */
export interface PinnedProblems {
  readonly problems: readonly TextProblem[];
  /** The lines of the text. */
  readonly lines: number;
  /** By problem. */
  readonly lineTexts: readonly string[];
}

export const noProblems: PinnedProblems = { problems: [], lines: 1, lineTexts: [] };

/** Keeps problems of a text with the lines they are in; those of lines it does not have go to its last. */
export function pinProblems(problems: readonly TextProblem[], doc: Text): PinnedProblems {
  const within = problems.map((problem) => ({
    ...problem,
    line: Math.max(1, Math.min(problem.line, doc.lines)),
  }));
  const lineTexts = within.map(({ line }) => doc.line(line).text);
  return { problems: within, lines: doc.lines, lineTexts };
}

/**
 * Those whose lines are as they were, also where lines came or went above them: what was typed in a
 * line since then may have put it right.
 */
export function stillThere(
  { problems, lines, lineTexts }: PinnedProblems,
  doc: Text,
): readonly TextProblem[] {
  const shift = doc.lines - lines;
  return problems.flatMap((problem, index) => {
    const line = [problem.line, problem.line + shift].find(
      (at) => at >= 1 && at <= doc.lines && doc.line(at).text === lineTexts[index],
    );
    return line === undefined ? [] : [{ ...problem, line }];
  });
}

const mostProblems = 100;

/**
 * All problems in the order of the text, one for a line: of the first list that has one there, and
 * rather one that is no warning.
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
  return [...byLine.values()].sort((a, b) => a.line - b.line).slice(0, mostProblems);
}

/** What a service found wrong at a line of the text, as problems of the text. */
export function problemsOfRefusal(details: readonly ErrorDetail[]): readonly TextProblem[] {
  return details.flatMap(({ field, message, line, column = 1 }) => {
    if (line === undefined) return [];
    return [
      { line, column, sentence: `The service: ${detailSentence({ field, message: message })}` },
    ];
  });
}

/** What is wrong, in one sentence. Below its first line a parser draws what it means. */
export function detailSentence({ field, message }: Pick<ErrorDetail, 'message' | 'field'>): string {
  const [first = ''] = message.split('\n');
  const about = field === undefined ? first : `${field}: ${first}`;
  return /[.!?]$/.test(about) ? about : `${about.replace(/[\s:,;]+$/, '')}.`;
}
