/** The strict evaluator of logs that are listed by time, whose clocks differ by less than a second. */
import type { ModelRun } from './model-run.ts';
import { compareLines, type ModelLine, type ServiceShape } from './model-service.ts';
import { shownOf } from './model-verdict.ts';
import { trueClocks } from './shapes.ts';

/** Milliseconds by which lines that are listed side by side may differ. */
const mostSkew = 700;

/** Lines at the beginning of the log among which the one that is listed first stands. */
const firstLines = 40;

/** Returns clocks that differ by little. */
export function smallSkews(random: () => number): ServiceShape['clocks'] {
  const skew = (): number => [0, 20, -20, 100, -100, 300][Math.floor(random() * 6)] ?? 0;
  return { ...trueClocks, skews: [skew(), skew(), skew()] };
}

/** Without frames that are lost, and pages that lag or forget: the label alone says what these miss. */
export const listedByTime = {
  listedBy: 'time',
  restarts: 'none',
  losses: 0,
  lag: 0,
  retention: Number.MAX_SAFE_INTEGER,
} as const;

/** Returns what is wrong: lines twice, out of order, or missing without a row. */
export function wrongInListed(run: ModelRun): string | undefined {
  const { log, service } = run;
  const shown = shownOf(run);
  if (log.labels.includes('unnumbered')) return 'taken for unnumbered';
  const lines = shown.filter((each) => !('row' in each)) as readonly ModelLine[];
  const numbers = new Set(lines.map(({ number }) => number));
  if (numbers.size < lines.length) return 'lines twice';
  const late = lines.find((line, at) => at > 0 && compareLines(lines[at - 1] ?? line, line) >= 0);
  if (late !== undefined) return `line ${late.number} is out of order`;
  const earliest = Math.min(...lines.slice(0, firstLines).map(({ time }) => time)) + mostSkew;
  // Lines before those that were asked for may be listed beside them.
  const isWanted = ({ time }: ModelLine): boolean => log.isComplete || time > earliest;
  const missing = service.kept.find(
    (line) => !numbers.has(line.number) && isWanted(line) && !isBelowRow(line, shown),
  );
  return missing && `line ${missing.number} of ${service.all.length} is missing without a row`;
}

/** Returns whether a row stands where a line is missing. */
function isBelowRow(line: ModelLine, shown: ReturnType<typeof shownOf>): boolean {
  const next = shown.findIndex((each) => !('row' in each) && compareLines(each, line) > 0);
  const before = shown[(next < 0 ? shown.length : next) - 1];
  return before !== undefined && 'row' in before;
}
