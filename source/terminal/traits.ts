type Environment = Readonly<Record<string, string | undefined>>;

/** What the output may use of the terminal. */
export interface TerminalTraits {
  /** Synchronized output (private mode 2026). True also where it is unknown and does no harm. */
  readonly synchronized: boolean;
  /** `CSI n X`, erase characters (ECH). */
  readonly eraseCharacters: boolean;
  /** `CSI n G`, to a column of the row (CHA). */
  readonly columns: boolean;
  /** A screen of the program's own (private mode 1049), after which the shell's comes back. */
  readonly alternateScreen: boolean;
}

/**
 * Kinds of terminals that a screen cannot be drawn on: those without cursor movement, those with
 * sequences other than ECMA-48's, and cons25, which knows no scroll region.
 */
const undrawable =
  /^(dumb|unknown|emacs|network|dialup|switch|plugboard|patch|paper|lpr|printer|cons25.*|vt52|sun.*|wy(se)?-?\d.*|tvi.*|adm.*|hp.*|ibm3\d.*|3270.*)$/;

/** DEC's terminals, the consoles of kernels, Emacs, and what calls itself no more than ANSI. */
const withoutAlternateScreen = /^(vt[1-5]|linux|hurd|ansi|eterm)/;

/** DEC's terminals jump to columns by naming the row too; so does Emacs. */
const withoutColumns = /^(vt[1-5]|eterm)/;

/** The VT100 family came before ECH; Emacs's terminal never had it. */
const withoutErasing = /^(vt1|eterm)/;

/**
 * What `TERM` says of the terminal; terminfo is not read, as it lacks for many, and the entry of
 * many others is that of xterm. `TMUX` tells tmux from screen, whose name it takes.
 */
export function terminalTraits(env: Environment): TerminalTraits {
  const { TERM: term = '', TMUX: tmux = '' } = env;
  const isScreen = term.startsWith('screen') && tmux === '';
  const isModern = !withoutAlternateScreen.test(term);
  return {
    synchronized: isModern && !isScreen,
    eraseCharacters: !withoutErasing.test(term),
    columns: !withoutColumns.test(term),
    alternateScreen: isModern,
  };
}

/** Why the console cannot be drawn on this terminal, as a sentence; undefined where it can. */
export function drawingObstacle(env: Environment): string | undefined {
  const { TERM: term = '' } = env;
  if (term === '') return 'TERM is not set, so the console does not know how to draw.';
  if (!undrawable.test(term)) return undefined;
  return `The console cannot be drawn on a terminal of the kind ${term}, which TERM says this is.`;
}

/** Whether what is drawn is read out: Ink's own sign for it. */
export function isScreenReader(env: Environment): boolean {
  return env['INK_SCREEN_READER'] === 'true';
}
