/** The services whose lines are shown, while they are chosen. */
export interface ServiceChoosing {
  readonly kind: 'log-services';
  readonly narrow: string;
  readonly caret: number;
  /** Name of the service under the cursor; undefined on the row of all of them. */
  readonly under: string | undefined;
  readonly marked: ReadonlySet<string>;
  /** Whether anything was marked since this was opened. */
  readonly marks: boolean;
}

/** A row of what can be chosen: a service, or all of them (undefined). */
export type ServiceRow = string | undefined;

/** What is shown now is marked; the cursor is on the way back to all services. */
export function choosingServices(shown: ReadonlySet<string> | undefined): ServiceChoosing {
  const marked = shown ?? new Set<string>();
  return { kind: 'log-services', narrow: '', caret: 0, under: undefined, marked, marks: false };
}

/** All services, unless the rows are narrowed; then those whose name holds what was typed. */
export function serviceRows(names: readonly string[], narrow: string): readonly ServiceRow[] {
  if (narrow === '') return [undefined, ...names];
  const typed = narrow.toLowerCase();
  return names.filter((name) => name.toLowerCase().includes(typed));
}

/** Index of the row under the cursor; the first where there is none of it any more. */
export function rowUnder({ under }: ServiceChoosing, rows: readonly ServiceRow[]): number {
  return Math.max(0, rows.indexOf(under));
}

export function stepService(
  open: ServiceChoosing,
  rows: readonly ServiceRow[],
  step: 1 | -1,
): ServiceChoosing {
  const index = Math.max(0, Math.min(rowUnder(open, rows) + step, rows.length - 1));
  return rows.length === 0 ? open : { ...open, under: rows[index] };
}

/**
 * Marks the service under the cursor or takes its mark away, and goes on to the next; all marks go
 * on the row of all services. What was typed to find it has done its work.
 */
export function markService(open: ServiceChoosing, names: readonly string[]): ServiceChoosing {
  const rows = serviceRows(names, open.narrow);
  if (rows.length === 0) return open;
  const name = rows[rowUnder(open, rows)];
  const marked = new Set(name === undefined ? [] : open.marked);
  if (name !== undefined && !marked.delete(name)) marked.add(name);
  const next = { ...open, narrow: '', caret: 0, under: name, marked, marks: true };
  return name === undefined ? next : stepService(next, serviceRows(names, ''), 1);
}

/**
 * What Enter chooses: all services on their row, else what was marked here, else the one under the
 * cursor. Nothing where no row is left and nothing is marked.
 */
export function chosenServices(
  open: ServiceChoosing,
  names: readonly string[],
): { readonly services: ReadonlySet<string> | undefined } | undefined {
  const rows = serviceRows(names, open.narrow);
  const name = rows[rowUnder(open, rows)];
  const isMarked = open.marks && open.marked.size > 0;
  if (rows.length > 0 && name === undefined) return { services: undefined };
  if (isMarked) return { services: open.marked };
  return name === undefined ? undefined : { services: new Set([name]) };
}
