/** What the terminal says about a mode (DECRPM): set or reset, for good or until switched. */
export type ModeState = 'unknown' | 'set' | 'reset' | 'always-set' | 'always-reset';

/** What a terminal answers when a program has asked it something. */
export type TerminalAnswer =
  /** To `CSI 5 n`: all that was written before the question has been handled. */
  | { readonly kind: 'status' }
  /** To `CSI ? u`: the flags of the kitty keyboard protocol that are on. */
  | { readonly kind: 'keyboard'; readonly flags: number }
  /** To `CSI c`: the class of the terminal first, then its extensions. */
  | { readonly kind: 'attributes'; readonly codes: readonly number[] }
  /** To `CSI ? mode $ p`: a private mode and how it is set. */
  | { readonly kind: 'mode'; readonly mode: number; readonly state: ModeState };

const modeStates: readonly ModeState[] = ['unknown', 'set', 'reset', 'always-set', 'always-reset'];

/**
 * The answer that a CSI sequence is, given all after `ESC [` (ECMA-48 8.3.35, xterm ctlseqs, kitty
 * keyboard protocol). Undefined for everything else, keys and answers nobody here asks for.
 */
export function answerOf(sequence: string): TerminalAnswer | undefined {
  if (sequence === '0n' || sequence === '3n') return { kind: 'status' };
  const [, fields = '', final] = /^\?([\d;]+)(u|c|\$y)$/.exec(sequence) ?? [];
  const numbers = fields.split(';').map(Number);
  const [first = 0, second] = numbers;
  if (final === 'u') return { kind: 'keyboard', flags: first };
  if (final === 'c') return { kind: 'attributes', codes: numbers };
  if (final === undefined || second === undefined) return undefined;
  return { kind: 'mode', mode: first, state: modeStates[second] ?? 'unknown' };
}
