type Environment = Readonly<Record<string, string | undefined>>;

/** Features of the terminal that the output may use. */
export interface TerminalTraits {
  /** Synchronized output (private mode 2026). True also where unknown, as it then does no harm. */
  readonly hasSynchronizedOutput: boolean;
  /** `CSI n X`, erase characters (ECH). */
  readonly canEraseCharacters: boolean;
  /** `CSI n G`, to a column of the row (CHA). */
  readonly canMoveToColumn: boolean;
  /** A separate screen for programs (private mode 1049); leaving it restores that of the shell. */
  readonly alternateScreen: boolean;
}

/**
 * Terminals that can't show a screen: those without cursor movement, those with control sequences
 * other than those of ECMA-48, and cons25, which has no scroll region.
 */
const undrawable =
  /^(dumb|unknown|emacs|network|dialup|switch|plugboard|patch|paper|lpr|printer|cons25.*|vt52|sun.*|wy(se)?-?\d.*|tvi.*|adm.*|hp.*|ibm3\d.*|3270.*)$/;

/** DEC's terminals, the consoles of kernels, Emacs, and terminals that claim no more than ANSI. */
const withoutAlternateScreen = /^(vt[1-5]|linux|hurd|ansi|eterm)/;

/** DEC's terminals and Emacs can move to a column only together with a row. */
const withoutColumns = /^(vt[1-5]|eterm)/;

/** The VT100 family is older than ECH, and Emacs never had it. */
const withoutErasing = /^(vt1|eterm)/;

/**
 * Returns the traits of the terminal that `TERM` names. Terminfo is not read: it has no entry for
 * many terminals, and gives many others the entry of xterm. `TMUX` tells tmux from screen, as tmux
 * may use the name of screen.
 */
export function terminalTraits(env: Environment): TerminalTraits {
  const { TERM: term = '', TMUX: tmux = '' } = env;
  const isScreen = term.startsWith('screen') && tmux === '';
  const isModern = !withoutAlternateScreen.test(term);
  return {
    hasSynchronizedOutput: isModern && !isScreen,
    canEraseCharacters: !withoutErasing.test(term),
    canMoveToColumn: !withoutColumns.test(term),
    alternateScreen: isModern,
  };
}

/** Returns a sentence that says why this terminal can't show the console; undefined if it can. */
export function drawingObstacle(env: Environment): string | undefined {
  const { TERM: term = '' } = env;
  if (term === '') return 'TERM is not set. Set it to the type of this terminal.';
  if (!undrawable.test(term)) return undefined;
  return `The console can't be drawn on a terminal of type ${term} (set by TERM).`;
}

/** Returns whether a screen reader reads the output; the variable is Ink's, which knows `true` only. */
export function isScreenReader(env: Environment): boolean {
  const { INK_SCREEN_READER: value } = env;
  return value === 'true' || value === '1';
}
