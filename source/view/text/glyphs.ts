/** Line-drawing characters of the chrome. */
export interface Glyphs {
  readonly horizontal: string;
  /** Rule of the focused pane's title. */
  readonly heavy: string;
  readonly vertical: string;
  readonly teeDown: string;
  readonly teeLeft: string;
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  /** Mark of truncated text. */
  readonly cut: string;
  /** The end of a sentence about something that continues. */
  readonly ellipsis: string;
  /** Bars from the lowest to the highest. */
  readonly bars: string;
  /** Bars of the log's histogram from the lowest to the highest. */
  readonly steps: string;
}

export const unicodeGlyphs: Glyphs = {
  horizontal: '─',
  heavy: '━',
  vertical: '│',
  teeDown: '┬',
  teeLeft: '┤',
  topLeft: '┌',
  topRight: '┐',
  bottomLeft: '└',
  bottomRight: '┘',
  cut: '…',
  ellipsis: '…',
  bars: '▁▂▃▄▅▆▇█',
  steps: '▁▂▃▄▅▆▇█',
};

export const asciiGlyphs: Glyphs = {
  horizontal: '-',
  heavy: '=',
  vertical: '|',
  teeDown: '+',
  teeLeft: '+',
  topLeft: '+',
  topRight: '+',
  bottomLeft: '+',
  bottomRight: '+',
  cut: '~',
  ellipsis: '...',
  bars: '_.:-=+*#',
  steps: '.:|#',
};
