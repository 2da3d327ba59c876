import type { LogRun, OutputLine } from './run.ts';

/** Most lines, and characters, of a run. */
const maxRun = { lines: 1_000, length: 16 * 1024 };

type LineRun = Pick<LogRun, 'count' | 'text' | 'partial'>;

/** Divides lines into runs of a size that suits storing and searching; a cut line is one of its own. */
export function* divideIntoRuns(lines: readonly OutputLine[]): Generator<LineRun> {
  let texts: string[] = [];
  let length = 0;
  const take = (): LineRun => {
    const run = { count: texts.length, text: texts.join('\n'), partial: undefined };
    texts = [];
    length = 0;
    return run;
  };
  for (const line of lines) {
    if (typeof line !== 'string') {
      if (texts.length > 0) yield take();
      yield { count: 1, text: line.text, partial: true };
      continue;
    }
    texts.push(line);
    length += line.length + 1;
    if (texts.length >= maxRun.lines || length >= maxRun.length) yield take();
  }
  if (texts.length > 0) yield take();
}
