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
  | { readonly kind: 'mode'; readonly mode: number; readonly state: ModeState }
  /** To `OSC 11 ; ?`: the colour of the terminal's background, `#rrggbb`. */
  | { readonly kind: 'background'; readonly colour: string };

const modeStates: readonly ModeState[] = ['unknown', 'set', 'reset', 'always-set', 'always-reset'];

/**
 * Parses the body of an OSC sequence as an answer (xterm ctlseqs). Components have one to four
 * digits, as in X11; terminals with transparency append an alpha component.
 */
export function parseStringAnswer(body: string): TerminalAnswer | undefined {
  const [, components] = /^11;rgba?:((?:[\da-f]{1,4}\/){2,3}[\da-f]{1,4})$/i.exec(body) ?? [];
  const [, digits] = /^11;#([\da-f]+)$/i.exec(body) ?? [];
  const parts = components?.split('/') ?? equalParts(digits ?? '');
  if (parts === undefined) return undefined;
  const colour = parts.slice(0, 3).map((part) => {
    const value = Number.parseInt(part, 16) / (16 ** part.length - 1);
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return { kind: 'background', colour: `#${colour.join('')}` };
}

/** Splits the digits of three components; undefined if they can't be of three. */
function equalParts(digits: string): readonly string[] | undefined {
  const length = digits.length / 3;
  if (![1, 2, 3, 4].includes(length)) return undefined;
  return [0, 1, 2].map((at) => digits.slice(at * length, (at + 1) * length));
}

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
