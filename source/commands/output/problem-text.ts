/** Words a problem for stderr. Pure. */
import { sanitize, sanitizeBlock } from '../../terminal/screen/sanitize.ts';
import type { CommandProblem } from '../command-problem.ts';

/** Returns the lines of a problem: `error: SENTENCE`, details, candidates, and the next step. */
export function problemLines(problem: CommandProblem): readonly string[] {
  const { sentence, next, details = [], candidates = [] } = problem;
  return [
    `error: ${sanitize(sentence)}`,
    ...details.flatMap((detail) => sanitizeBlock(detail).map((line) => `  ${line}`)),
    ...(next === '' ? [] : [sanitize(next)]),
    ...candidates.map(({ id, name }) => `  ${sanitize(id)}  ${sanitize(name ?? '')}`.trimEnd()),
  ];
}

/** Returns a problem as an object for programs. */
export function problemJson(problem: CommandProblem): Readonly<Record<string, unknown>> {
  const { code, sentence, next, status, details = [], candidates = [] } = problem;
  return {
    error: {
      code,
      message: sentence,
      ...(next !== '' && { next }),
      ...(status !== undefined && { status }),
      ...(details.length > 0 && { details }),
      ...(candidates.length > 0 && { candidates }),
    },
  };
}
