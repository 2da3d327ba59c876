/** How many colours the terminal shows: none, the 16 named ones, the palette of 256, or any. */
export type ColourDepth = 'none' | '16' | '256' | 'true';

type Environment = Readonly<Record<string, string | undefined>>;

/** `FORCE_COLOR`'s values, which are also chalk's levels. */
const depths: readonly ColourDepth[] = ['none', '16', '256', 'true'];

/**
 * Colours to use on a terminal. A `NO_COLOR` that is not empty wins (no-color.org), then
 * `FORCE_COLOR` (`0` to `3`, `true`, `false`), then what `COLORTERM` and `TERM` say of the terminal.
 */
export function colourDepth(env: Environment): ColourDepth {
  if (env['NO_COLOR']) return 'none';
  const { FORCE_COLOR: forced, TERM: term = '', COLORTERM: colorTerm = '' } = env;
  if (forced === 'false') return 'none';
  const exact = forced === undefined || forced === '' ? undefined : depths[Number(forced)];
  if (exact !== undefined) return exact;
  const found = terminalDepth(term, colorTerm);
  return forced !== undefined && found === 'none' ? '16' : found;
}

function terminalDepth(term: string, colorTerm: string): ColourDepth {
  if (term === 'dumb' || term === '') return 'none';
  if (/^(truecolor|24bit)$/i.test(colorTerm) || term.endsWith('-direct')) return 'true';
  if (/kitty|ghostty|wezterm|alacritty|foot/.test(term)) return 'true';
  if (/-256(color)?$/.test(term)) return '256';
  if (colorTerm !== '') return '16';
  return /^(xterm|screen|tmux|rxvt|linux|vt220|ansi|cygwin|putty|konsole)|color/.test(term)
    ? '16'
    : 'none';
}

/**
 * The value of `FORCE_COLOR` that makes chalk use this depth. Ink's own chalk reads the environment
 * once, when it is imported, and knows nothing of `NO_COLOR`: set it before that import and restore
 * it after, so that programs started later do not inherit it.
 */
export function forceColourValue(depth: ColourDepth): string {
  return String(depths.indexOf(depth));
}

/**
 * Whether the terminal shows more than ASCII: the locale must be UTF-8 (`LC_ALL` outranks
 * `LC_CTYPE` outranks `LANG`, POSIX 8.2), the Linux console's font has few glyphs, and what calls
 * itself a DEC terminal may be one.
 */
export function supportsUnicode(env: Environment): boolean {
  const { TERM: term } = env;
  if (/^(linux|dumb$|vt\d|ansi|hurd)/.test(term ?? '')) return false;
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}
