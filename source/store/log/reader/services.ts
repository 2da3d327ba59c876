/** State of the picker of services whose lines are shown. */
export interface ServicePickerState {
  readonly kind: 'log-services';
  readonly narrow: string;
  readonly caret: number;
  /** Id of the choice under the cursor; undefined on the row of all services. */
  readonly under: string | undefined;
  /** Ids of the marked choices. */
  readonly marked: ReadonlySet<string>;
  /** True when a mark has changed since the picker was opened. */
  readonly marks: boolean;
}

/** A choice of the picker: a service, or a deployment of a joined log. */
export type LogChoice =
  | { readonly kind: 'service'; readonly id: string; readonly label: string }
  | {
      readonly kind: 'deployment';
      readonly id: string;
      readonly label: string;
      /** Number of the deployment in the joined log. */
      readonly member: number;
    };

export function serviceChoice(name: string): LogChoice {
  return { kind: 'service', id: `service ${name}`, label: name };
}

export function deploymentChoice(name: string, member: number): LogChoice {
  return { kind: 'deployment', id: `member ${member}`, label: `deployment ${name}`, member };
}

/** A row of the picker: a choice, or undefined for all services. */
export type ServiceRow = LogChoice | undefined;

/** Opens the picker with the shown choices marked and the cursor on the row of all services. */
export function openServicePicker(shown: readonly LogChoice[]): ServicePickerState {
  const marked = new Set(shown.map(({ id }) => id));
  return { kind: 'log-services', narrow: '', caret: 0, under: undefined, marked, marks: false };
}

/** Returns the rows of the picker: all services first, unless a text filters them by name. */
export function serviceRows(
  choices: readonly LogChoice[],
  filterText: string,
): readonly ServiceRow[] {
  if (filterText === '') return [undefined, ...choices];
  const lowerFilter = filterText.toLowerCase();
  return choices.filter(({ label }) => label.toLowerCase().includes(lowerFilter));
}

/** Returns the index of the row under the cursor, or of the first row when that one is gone. */
export function serviceRowIndex(
  { under }: ServicePickerState,
  rows: readonly ServiceRow[],
): number {
  return Math.max(
    0,
    rows.findIndex((row) => row?.id === under),
  );
}

export function moveToService(
  open: ServicePickerState,
  rows: readonly ServiceRow[],
  step: number,
): ServicePickerState {
  const index = Math.max(0, Math.min(serviceRowIndex(open, rows) + step, rows.length - 1));
  return rows.length === 0 ? open : { ...open, under: rows[index]?.id };
}

/**
 * Toggles the mark of the choice under the cursor and moves to the next one; on the row of all
 * services it removes all marks. The typed text is cleared.
 */
export function toggleService(
  open: ServicePickerState,
  choices: readonly LogChoice[],
): ServicePickerState {
  const rows = serviceRows(choices, open.narrow);
  if (rows.length === 0) return open;
  const id = rows[serviceRowIndex(open, rows)]?.id;
  const marked = new Set(id === undefined ? [] : open.marked);
  if (id !== undefined && !marked.delete(id)) marked.add(id);
  const next = { ...open, narrow: '', caret: 0, under: id, marked, marks: true };
  return id === undefined ? next : moveToService(next, serviceRows(choices, ''), 1);
}

/**
 * Returns the choices that Enter applies: none on the row of all, else those marked here, else the one
 * under the cursor. Undefined when there is no row and no mark.
 */
export function chosenServices(
  open: ServicePickerState,
  choices: readonly LogChoice[],
): readonly LogChoice[] | undefined {
  const rows = serviceRows(choices, open.narrow);
  const row = rows[serviceRowIndex(open, rows)];
  const hasMarks = open.marks && open.marked.size > 0;
  if (rows.length > 0 && row === undefined) return [];
  if (hasMarks) return choices.filter(({ id }) => open.marked.has(id));
  return row === undefined ? undefined : [row];
}
