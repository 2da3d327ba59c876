/** Something that the palette can do. */
export interface PaletteRow {
  /** The same for the same thing whatever is typed and however lists change. */
  readonly id: string;
  /** What typing narrows and Tab completes; unsanitised where it is a name of the service's. */
  readonly name: string;
  /** What it does; empty where the name needs its room. */
  readonly explanation: string;
  /** The key that does the same here. */
  readonly key: string;
  run(): void;
}

/** The palette while it is open. */
export interface Paletting {
  readonly kind: 'palette';
  readonly text: string;
  readonly caret: number;
  /** Id of the row that Enter does; the first where there is none of it. */
  readonly chosen: string | undefined;
  /** How many entries ago the text was entered; 0 where it is typed. */
  readonly recalled: number;
  /** What fits the text, the best first. */
  readonly rows: (text: string) => readonly PaletteRow[];
}

/** Entries that Up brings back. */
const mostEntered = 100;

export function paletting(rows: Paletting['rows']): Paletting {
  return { kind: 'palette', text: '', caret: 0, chosen: undefined, recalled: 0, rows };
}

/** Index of the row that Enter does, among those that fit. */
export function chosenIndex({ chosen }: Paletting, rows: readonly PaletteRow[]): number {
  return Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  );
}

/** What was entered, newest last, with one more. */
export function withEntered(entered: readonly string[], name: string): readonly string[] {
  return [...entered.filter((before) => before !== name), name].slice(-mostEntered);
}

/** The palette with what was entered one step further ago, or less far ago (-1). */
export function recall(open: Paletting, entered: readonly string[], step: 1 | -1): Paletting {
  const recalled = Math.max(0, Math.min(open.recalled + step, entered.length));
  const text = recalled === 0 ? '' : (entered.at(-recalled) ?? '');
  return { ...open, text, caret: text.length, chosen: undefined, recalled };
}
