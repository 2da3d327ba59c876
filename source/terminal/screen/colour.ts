/** Colours that the terminal shows: none, the 16 named ones, the palette of 256, or any. */
export type ColourDepth = 'none' | '16' | '256' | 'true';

type Environment = Readonly<Record<string, string | undefined>>;

/** Depths by the values of `FORCE_COLOR`, which are also chalk's levels. */
const depths: readonly ColourDepth[] = ['none', '16', '256', 'true'];

/**
 * Returns the colours to use on a terminal. A `NO_COLOR` that is not empty takes precedence
 * (no-color.org), then `FORCE_COLOR` (`0` to `3`, `true`, `false`), then `COLORTERM` and `TERM`.
 */
export function colourDepth(env: Environment): ColourDepth {
  if (env['NO_COLOR']) return 'none';
  const { FORCE_COLOR: forced, TERM: term = '', COLORTERM: colorTerm = '' } = env;
  if (forced === 'false') return 'none';
  const exact = forced === undefined || forced === '' ? undefined : depths[Number(forced)];
  if (exact !== undefined) return exact;
  const depth = terminalDepth(term, colorTerm);
  return forced !== undefined && depth === 'none' ? '16' : depth;
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
 * Returns the background that the environment tells: `COLORFGBG` of rxvt, Konsole and others ends in
 * the number of a colour, as in `0;15` and `0;default;15`. The console of Linux is black. Undefined
 * for others, and within tmux and screen, whose environment may be that of another terminal.
 */
export function knownBackground(env: Environment): 'dark' | 'light' | undefined {
  const { COLORFGBG: colours = '', TERM: term = '' } = env;
  if (term === 'linux') return 'dark';
  if (env['TMUX'] || env['STY'] || /^(screen|tmux)/.test(term)) return undefined;
  const [, background] = /^(?:\d+|default);(?:[^;]*;)?(\d+)$/.exec(colours) ?? [];
  if (background === '0' || background === '8') return 'dark';
  // Other colours are for neither theme.
  return background === '7' || background === '15' ? 'light' : undefined;
}

/**
 * Returns the value of `FORCE_COLOR` that makes chalk use this depth. Ink's chalk reads the
 * environment once, on import, and ignores `NO_COLOR`: set the variable before that import and
 * restore it afterwards, so that child processes do not inherit it.
 */
export function forceColourValue(depth: ColourDepth): string {
  return String(depths.indexOf(depth));
}

/**
 * Returns whether the terminal shows more than ASCII. The locale must be UTF-8 (`LC_ALL` takes
 * precedence over `LC_CTYPE` over `LANG`, POSIX 8.2). The font of the Linux console has few glyphs,
 * and a terminal that claims to be one of DEC's may be real.
 */
export function supportsUnicode(env: Environment): boolean {
  const { TERM: term } = env;
  if (/^(linux|dumb$|vt\d|ansi|hurd)/.test(term ?? '')) return false;
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}

/** Returns whether to draw more than ASCII: a flag decides, else the terminal and its locale. */
export function drawsUnicode(
  flags: { readonly ascii: boolean; readonly unicode: boolean },
  env: Environment,
): boolean {
  return !flags.ascii && (flags.unicode || supportsUnicode(env));
}
