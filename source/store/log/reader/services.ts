/** State of the picker of services whose lines are shown. */
export interface ServicePickerState {
  readonly kind: 'log-services';
  readonly narrow: string;
  readonly caret: number;
  /** Name of the service under the cursor; undefined on the row of all services. */
  readonly under: string | undefined;
  readonly marked: ReadonlySet<string>;
  /** True when a mark has changed since the picker was opened. */
  readonly marks: boolean;
}

/** A row of the picker: the name of a service, or undefined for all services. */
export type ServiceRow = string | undefined;

/** Opens the picker with the shown services marked and the cursor on the row of all services. */
export function openServicePicker(shown: ReadonlySet<string> | undefined): ServicePickerState {
  const marked = shown ?? new Set<string>();
  return { kind: 'log-services', narrow: '', caret: 0, under: undefined, marked, marks: false };
}

/** Returns the rows of the picker: all services first, unless a text filters them by name. */
export function serviceRows(names: readonly string[], filterText: string): readonly ServiceRow[] {
  if (filterText === '') return [undefined, ...names];
  const lowerFilter = filterText.toLowerCase();
  return names.filter((name) => name.toLowerCase().includes(lowerFilter));
}

/** Returns the index of the row under the cursor, or of the first row when that one is gone. */
export function serviceRowIndex(
  { under }: ServicePickerState,
  rows: readonly ServiceRow[],
): number {
  return Math.max(0, rows.indexOf(under));
}

export function moveToService(
  open: ServicePickerState,
  rows: readonly ServiceRow[],
  step: 1 | -1,
): ServicePickerState {
  const index = Math.max(0, Math.min(serviceRowIndex(open, rows) + step, rows.length - 1));
  return rows.length === 0 ? open : { ...open, under: rows[index] };
}

/**
 * Toggles the mark of the service under the cursor and moves to the next one; on the row of all
 * services it removes all marks. The typed text is cleared.
 */
export function toggleService(
  open: ServicePickerState,
  names: readonly string[],
): ServicePickerState {
  const rows = serviceRows(names, open.narrow);
  if (rows.length === 0) return open;
  const name = rows[serviceRowIndex(open, rows)];
  const marked = new Set(name === undefined ? [] : open.marked);
  if (name !== undefined && !marked.delete(name)) marked.add(name);
  const next = { ...open, narrow: '', caret: 0, under: name, marked, marks: true };
  return name === undefined ? next : moveToService(next, serviceRows(names, ''), 1);
}

/**
 * Returns the services that Enter applies: all on their row, else those marked here, else the one
 * under the cursor. Undefined when there is no row and no mark.
 */
export function chosenServices(
  open: ServicePickerState,
  names: readonly string[],
): { readonly services: ReadonlySet<string> | undefined } | undefined {
  const rows = serviceRows(names, open.narrow);
  const name = rows[serviceRowIndex(open, rows)];
  const hasMarks = open.marks && open.marked.size > 0;
  if (rows.length > 0 && name === undefined) return { services: undefined };
  if (hasMarks) return { services: open.marked };
  return name === undefined ? undefined : { services: new Set([name]) };
}
