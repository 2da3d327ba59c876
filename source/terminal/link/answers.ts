/** State of a mode in a report of the terminal (DECRPM): set or reset, permanently or not. */
export type ModeState = 'unknown' | 'set' | 'reset' | 'always-set' | 'always-reset';

/** Answer of a terminal to a request. */
export type TerminalAnswer =
  /** To `CSI 5 n`: the terminal has processed all output before the request. */
  | { readonly kind: 'status' }
  /** To `CSI ? u`: the active flags of the kitty keyboard protocol. */
  | { readonly kind: 'keyboard'; readonly flags: number }
  /** To `CSI c`: the class of the terminal, then its extensions. */
  | { readonly kind: 'attributes'; readonly codes: readonly number[] }
  /** To `CSI ? mode $ p`: a private mode and its state. */
  | { readonly kind: 'mode'; readonly mode: number; readonly state: ModeState };

const modeStates: readonly ModeState[] = ['unknown', 'set', 'reset', 'always-set', 'always-reset'];

/**
 * Parses the part of a CSI sequence after `ESC [` as an answer (ECMA-48 8.3.35, xterm ctlseqs, kitty
 * keyboard protocol). Returns undefined for keys, and for answers that are never requested.
 */
export function parseAnswer(sequence: string): TerminalAnswer | undefined {
  if (sequence === '0n' || sequence === '3n') return { kind: 'status' };
  const [, fields = '', final] = /^\?([\d;]+)(u|c|\$y)$/.exec(sequence) ?? [];
  const numbers = fields.split(';').map(Number);
  const [first = 0, second] = numbers;
  if (final === 'u') return { kind: 'keyboard', flags: first };
  if (final === 'c') return { kind: 'attributes', codes: numbers };
  if (final === undefined || second === undefined) return undefined;
  return { kind: 'mode', mode: first, state: modeStates[second] ?? 'unknown' };
}
