/** One answer to a {@link Confirmation}. */
export interface Option {
  readonly label: string;
  /** What it means, where the options stand one below the other. */
  readonly meaning?: string;
  /** Chosen, it takes something away. */
  readonly destroys?: boolean;
}

/** What a box asks before something is done. */
export interface Confirmation {
  /** Behind the profile's name, in the upper edge. */
  readonly title: string;
  readonly lines: readonly string[];
  /** The first is the safe one; boxes open on it (screens, rule 4). */
  readonly options: readonly [Option, ...Option[]];
  /** Word that must be typed before the last option answers. */
  readonly typed?: string;
  /** What that word is; a name unless said. */
  readonly typedIs?: string;
  /** No restart counts on while it is open. */
  readonly holdsRestarts?: boolean;
  /** What Esc does, for the lower edge. */
  readonly escape: string;
  /** Called once, with the index of the option chosen; Esc is the first. */
  answer(option: number): void;
}

/** A box on the screen. */
export interface ConfirmBox {
  readonly kind: 'question';
  readonly question: Confirmation;
  readonly chosen: number;
  /** What was typed where a word is wanted. */
  readonly text: string;
  readonly caret: number;
  /** When its frame was seen on the terminal: Enter is no answer before it could be read. */
  readonly shownAt: number;
}

export function confirmBox(question: Confirmation): ConfirmBox {
  const shownAt = Number.POSITIVE_INFINITY;
  return { kind: 'question', question, chosen: 0, text: '', caret: 0, shownAt };
}

/** The box with another option chosen; the ends meet. */
export function chooseOption(box: ConfirmBox, step: number): ConfirmBox {
  const count = box.question.options.length;
  return { ...box, chosen: (((box.chosen + step) % count) + count) % count };
}

/** Whether the chosen option may answer: the last of a box that wants a word only with that word. */
export function mayAnswer({ question, chosen, text }: ConfirmBox): boolean {
  const isLast = chosen === question.options.length - 1;
  return !isLast || question.typed === undefined || question.typed === text;
}
