/** A command in the palette. */
export interface PaletteRow {
  /** Stable id, the same for any typed text and any state of the lists. */
  readonly id: string;
  /** Name that typing filters and Tab completes; unsanitised when it comes from the service. */
  readonly name: string;
  /** True for a command, whose name is drawn as a sentence; the name of a place never changes. */
  readonly isCommand?: boolean;
  /** Short help text, or the kind of a place; empty where the name needs the room. */
  readonly explanation: string;
  /** Synonym by which the row was found: `delete = close`. */
  readonly note?: string | undefined;
  /** Offsets of the matched letters in the name, in code units and in order. */
  readonly marks?: readonly number[];
  /** Key of the same command in this pane. */
  readonly key: string;
  run(): void;
}

/** The open palette. */
export interface Paletting {
  readonly kind: 'palette';
  readonly text: string;
  readonly caret: number;
  /** Id of the selected row; undefined or unknown selects the first row. */
  readonly chosen: string | undefined;
  /** Steps back in the entry history; 0 for typed text. */
  readonly recalled: number;
  /** Returns the rows that match the text, the best first. */
  readonly rows: (text: string) => readonly PaletteRow[];
  /** Returns the number of rows that some text finds. */
  readonly total: () => number;
}

/** Length of the entry history. */
const maxEntries = 100;

export function paletting(rows: Paletting['rows'], total: Paletting['total'] = () => 0): Paletting {
  return { kind: 'palette', text: '', caret: 0, chosen: undefined, recalled: 0, rows, total };
}

/** Returns the index of the selected row among the matching rows. */
export function chosenIndex({ chosen }: Paletting, rows: readonly PaletteRow[]): number {
  return Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  );
}

/** Appends a name to the entry history, newest last and without duplicates. */
export function withEntered(entered: readonly string[], name: string): readonly string[] {
  return [...entered.filter((before) => before !== name), name].slice(-maxEntries);
}

/** Number of entries that the palette lists first while nothing is typed. */
const maxRecent = 5;

/** Returns the rows with those that were entered last in front, the last one first. */
export function recentFirst(
  rows: readonly PaletteRow[],
  entered: readonly string[],
  find: (name: string) => PaletteRow | undefined,
): readonly PaletteRow[] {
  const recent = entered
    .slice(-maxRecent)
    .toReversed()
    .flatMap((name) => find(name) ?? []);
  const ids = new Set(recent.map(({ id }) => id));
  return [...recent, ...rows.filter(({ id }) => !ids.has(id))];
}

/** Returns the palette with the next older entry (1) or the next newer one (-1). */
export function recall(open: Paletting, entered: readonly string[], step: 1 | -1): Paletting {
  const recalled = Math.max(0, Math.min(open.recalled + step, entered.length));
  const text = recalled === 0 ? '' : (entered.at(-recalled) ?? '');
  return { ...open, text, caret: text.length, chosen: undefined, recalled };
}
