/** A command in the palette. */
export interface PaletteRow {
  /** Stable id, the same for any typed text and any state of the lists. */
  readonly id: string;
  /** Name that typing filters and Tab completes; unsanitised when it comes from the service. */
  readonly name: string;
  /** Short help text; empty where the name needs the room. */
  readonly explanation: string;
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
}

/** Length of the entry history. */
const maxEntries = 100;

export function paletting(rows: Paletting['rows']): Paletting {
  return { kind: 'palette', text: '', caret: 0, chosen: undefined, recalled: 0, rows };
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

/** Returns the palette with the next older entry (1) or the next newer one (-1). */
export function recall(open: Paletting, entered: readonly string[], step: 1 | -1): Paletting {
  const recalled = Math.max(0, Math.min(open.recalled + step, entered.length));
  const text = recalled === 0 ? '' : (entered.at(-recalled) ?? '');
  return { ...open, text, caret: text.length, chosen: undefined, recalled };
}
