/** The console at one moment in words, as plain data. */
export interface Heard {
  /** The moment, in ms. */
  readonly at: number;
  /** The pane or view with the keys. */
  readonly place: { readonly id: string; readonly text: string };
  /** The row under the cursor; undefined while there is none. */
  readonly row: HeardRow | undefined;
  /** The visible lines of a text. */
  readonly page: HeardPage | undefined;
  /** The open box or prompt. */
  readonly box: HeardBox | undefined;
  readonly facts: readonly HeardFact[];
  /** The last messages, oldest first. */
  readonly messages: readonly HeardMessage[];
}

export interface HeardRow {
  readonly id: string;
  readonly text: string;
  /** The words of the row that are said again when they change under the cursor. */
  readonly state?: string;
}

export interface HeardPage {
  readonly id: string;
  /** Number of the first visible line, from 0. */
  readonly first: number;
  readonly lines: readonly string[];
}

export interface HeardBox {
  /** Another id is another box. */
  readonly id: string;
  /** Lines that are said when the box opens. */
  readonly intro: readonly string[];
  /** Answers, numbered from 1 by their place; digits choose them. */
  readonly answers?: readonly string[];
  /** The answer or row that Enter takes. */
  readonly row?: HeardRow | undefined;
  readonly field?: HeardField | undefined;
  /** Result of the typed text, said in a pause of the typing. */
  readonly found?: string | undefined;
}

/** A text field in which the person types. */
export interface HeardField {
  readonly label: string;
  readonly text: string;
  readonly caret: number;
}

/** Something that holds for a while. */
export interface HeardFact {
  readonly key: string;
  /** A fact with another value is said again; its text may change unsaid. */
  readonly value: string;
  readonly text: string;
  /** True for a fact that a message may be about to tell: it is said a moment later, if at all. */
  readonly isLate?: boolean;
  /** True while the person changes it: neither that nor its end is said. */
  readonly isHeld?: boolean;
  /** Said when the fact no longer holds. */
  readonly ended?: string;
  /** True for a fact of the pane with the keys: it has not ended where another pane has them. */
  readonly isHere?: boolean;
}

export interface HeardMessage {
  readonly id: number;
  /** Number of times that it was said one after the other. */
  readonly times: number;
  readonly text: string;
}
