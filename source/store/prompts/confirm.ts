import type { BodyScroll } from './body-scroll.ts';

/** One answer to a {@link Confirmation}. */
export interface Option {
  readonly label: string;
  /** Explanation beside the label in a vertical list of options. */
  readonly meaning?: string;
  /** True when the option deletes or replaces something. */
  readonly destroys?: boolean;
}

/** A fact in a box: each value begins a row beside the label. */
export interface ConfirmFact {
  readonly label: string;
  readonly values: readonly [string, ...string[]];
}

/** A line of a text in a box, which is cut rather than wrapped, and a note behind it. */
export interface ConfirmExcerpt {
  readonly excerpt: string;
  readonly note: string;
}

export type ConfirmLine = string | ConfirmFact | ConfirmExcerpt;

/** A question that the person answers in a box. */
export interface Confirmation {
  /** Title in the upper edge, after the profile's name. */
  readonly title: string;
  readonly lines: readonly ConfirmLine[];
  /** The first option is the safe one and is preselected. */
  readonly options: readonly [Option, ...Option[]];
  /** Word that enables the last option once it is typed. */
  readonly typed?: string;
  /** Description of `typed`; a name by default. */
  readonly typedIs?: string;
  /** True when countdowns of restarts pause while the box is open. */
  readonly pausesRestarts?: boolean;
  /** Effect of Esc, for the lower edge. */
  readonly escape: string;
  /** Called once with the index of the chosen option; Esc answers 0. */
  answer(option: number): void;
}

/** An open confirmation box. */
export interface ConfirmBox {
  readonly kind: 'question';
  readonly question: Confirmation;
  readonly chosen: number;
  /** Text typed to match {@link Confirmation.typed}. */
  readonly text: string;
  readonly caret: number;
  /** Time at which the terminal showed the box; Enter is ignored until it could be read. */
  readonly shownAt: number;
  /** Scroll position of the lines; undefined while all of them are visible. */
  readonly scroll?: BodyScroll | undefined;
}

export function confirmBox(question: Confirmation): ConfirmBox {
  const shownAt = Number.POSITIVE_INFINITY;
  return { kind: 'question', question, chosen: 0, text: '', caret: 0, shownAt };
}

/** Returns the box with the option `step` further selected; wraps around at both ends. */
export function chooseOption(box: ConfirmBox, step: number): ConfirmBox {
  const count = box.question.options.length;
  return { ...box, chosen: (((box.chosen + step) % count) + count) % count };
}

/** Tells whether Enter may answer; the last option may need the typed word first. */
export function mayAnswer({ question, chosen, text }: ConfirmBox): boolean {
  const isLast = chosen === question.options.length - 1;
  return !isLast || question.typed === undefined || question.typed === text;
}
