/** One row of the table: ours against a reference that ran in turn with it, where there is one. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly reference?: string;
  /** Ours divided by the reference, or the other way round where more is better. */
  readonly ratio?: number;
  /** The limit: a highest ratio, or a highest or lowest value where a ratio does not apply. */
  readonly goal?: number | Most | Least;
}

interface Most {
  readonly at: number;
  readonly value: number;
  readonly unit: string;
}

/** A ratio of which more is better. */
interface Least {
  readonly least: number;
}

/** The middle of the values; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/**
 * Medians of both, measured in turn, so that a busy machine slows both alike. The first pair warms
 * disk caches and counts for nothing.
 */
export async function inTurn(
  rounds: number,
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<{ readonly ours: number; readonly reference: number }> {
  const measured: { ours: number[]; reference: number[] } = { ours: [], reference: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { ours: await ours(), reference: await reference() };
    if (round === 0) continue;
    measured.ours.push(pair.ours);
    measured.reference.push(pair.reference);
  }
  return { ours: median(measured.ours), reference: median(measured.reference) };
}

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  return [
    '| What | hostdeck | Reference | Ratio | Goal |',
    '|-|-|-|-|-|',
    ...rows.map((row) => `| ${tableCells(row).join(' | ')} |`),
  ].join('\n');
}

function tableCells(row: Row): readonly string[] {
  const { what, ours, reference = '', ratio } = row;
  return [what, ours, reference, ratio?.toFixed(2) ?? '', goalText(row)];
}

function goalText({ ratio = Number.NaN, goal }: Row): string {
  if (goal === undefined) return '';
  if (typeof goal === 'object' && 'least' in goal) {
    return `>= ${goal.least} x, ${ratio >= goal.least ? 'met' : 'not met'}`;
  }
  const { at, value, unit } =
    typeof goal === 'number' ? { at: goal, value: ratio, unit: 'x' } : goal;
  return `<= ${at} ${unit}, ${value <= at ? 'met' : 'not met'}`;
}
