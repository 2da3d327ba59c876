import { digitOf, type Pane, panes } from '../store/deck/screen/focus.ts';
import { firstListRows } from '../store/deck/screen/layout.ts';
import { shortAddress } from '../store/grants/address.ts';
import { eachListPane, listPanes } from '../store/lists/list-panes.ts';
import { keysLine } from '../view/text/hints.ts';
import { firstFooter } from './first-footer.ts';
import { computeLayout, isSplit, type Layout } from '../view/shell/layout.ts';
import type { Line } from '../view/text/line.ts';
import type { Glyphs } from '../view/text/glyphs.ts';
import type { Token } from '../view/text/theme.ts';

/** The profile as far as the environment tells it; plain ASCII. */
export interface KnownProfile {
  readonly name: string;
  readonly production: boolean;
  readonly host: string;
  readonly wallet: string | undefined;
}

export interface SkeletonOptions {
  readonly columns: number;
  readonly rows: number;
  readonly glyphs: Glyphs;
  readonly colours: boolean;
  readonly profile: KnownProfile | undefined;
  /** Text of the first row of the first pane. */
  readonly notice?: string;
  /** True when the configuration may bind other keys, so that the frame shows none. */
  readonly hasOwnKeys?: boolean;
}

/** Colours that can be read on any background: the terminal's is not known yet. */
const colours: Readonly<Partial<Record<Token, readonly [on: string, off: string]>>> = {
  focus: ['\x1b[1m', '\x1b[22m'],
  alert: ['\x1b[97;41m', '\x1b[49;39m'],
};

const names: Readonly<Record<Pane, string>> = {
  ...eachListPane((pane) => `${listPanes[pane].digit} ${listPanes[pane].title}`),
  main: `${digitOf('main')} Logs`,
};

/**
 * Returns the first frame, drawn when only the terminal's size is known: row 1, titles, rules and key
 * hints at their final places. Each row is text with SGR sequences, without trailing spaces.
 */
export function skeletonRows(options: SkeletonOptions): readonly string[] {
  const { columns, rows, glyphs } = options;
  const focus = isSplit(options) ? 'deployments' : 'main';
  const layout = computeLayout({
    columns,
    rows,
    focus,
    fullscreen: false,
    widen: 0,
    listRows: firstListRows,
  });
  if (layout.kind === 'tiny') {
    return [`hostdeck needs 40x10, this is ${columns}x${rows}`.slice(0, columns)];
  }
  const hints = firstFooter[focus === 'main' ? 'logs' : focus];
  const footer = keysLine(options.hasOwnKeys === true ? [] : hints, columns);
  const notice = options.notice === undefined ? '' : ` ${options.notice}`;
  const lines = [
    statusLine(options.profile, columns),
    ...(layout.kind === 'split'
      ? splitLines(layout, glyphs, notice)
      : [tabs(columns), [{ text: notice.slice(0, columns) }]]),
  ];
  const blank = Array.from({ length: rows - 1 - lines.length }, (): Line => []);
  return [...lines, ...blank, footer].map((line) => rowText(line, options.colours));
}

/** Returns row 1: name, host and wallet, as far as they fit. */
function statusLine(profile: KnownProfile | undefined, columns: number): Line {
  if (profile === undefined) return [];
  const { name, production, host, wallet } = profile;
  const rest = [host, wallet === undefined ? '' : shortAddress(wallet)];
  const line: { text: string; token?: Token }[] = [
    production ? { text: name.toUpperCase(), token: 'alert' } : { text: name, token: 'focus' },
  ];
  let room = columns - name.length;
  for (const text of rest.filter((part) => part !== '' && part !== name)) {
    if (text.length + 1 > room) continue;
    line.push({ text: ` ${text}` });
    room -= text.length + 1;
  }
  return room < 0 ? [] : line;
}

/** Returns the tabs above a single pane: names of the other panes where they fit, else their digits. */
function tabs(columns: number): Line {
  const line = (nameOf: (pane: Pane) => string): Line =>
    panes.map((pane) =>
      pane === 'main' ? { text: `[${names.main}]`, token: 'focus' } : { text: ` ${nameOf(pane)} ` },
    );
  const wide = line((pane) => names[pane]);
  const width = wide.reduce((sum, { text }) => sum + text.length, 0);
  return width <= columns ? wide : line(digitOf);
}

function splitLines(
  layout: Extract<Layout, { kind: 'split' }>,
  glyphs: Glyphs,
  notice: string,
): readonly Line[] {
  const { horizontal, heavy, vertical, teeDown, teeLeft } = glyphs;
  const rule = (text: string, width: number, line = horizontal): string =>
    (text + line.repeat(Math.max(0, width - text.length))).slice(0, width);
  const sides = layout.left.flatMap(({ pane, height }, index): Line[] => {
    const focused = `[${names[pane]}]`;
    const title: Line =
      index === 0
        ? [
            { text: focused, token: 'focus' },
            { text: rule(' ', layout.leftWidth - focused.length, heavy) + teeDown },
          ]
        : [{ text: rule(` ${names[pane]} `, layout.leftWidth) + teeLeft }];
    const row = (text: string): Line => [
      { text: text.slice(0, layout.leftWidth).padEnd(layout.leftWidth) + vertical },
    ];
    const isNotice = (at: number): boolean => index === 0 && at === 0;
    return [
      title,
      ...Array.from({ length: height - 1 }, (_, at) => row(isNotice(at) ? notice : '')),
    ];
  });
  const { mainWidth, detailsWidth } = layout;
  return sides.map((side, row): Line => {
    const main = row === 0 ? rule(` ${names.main} `, mainWidth) : '';
    if (detailsWidth === 0) return side.concat({ text: main });
    const details = row === 0 ? teeDown + rule(' d Details ', detailsWidth) : vertical;
    return side.concat({ text: main.padEnd(mainWidth) + details });
  });
}

function rowText(line: Line, coloured: boolean): string {
  const last = line.at(-1);
  const trimmed =
    last === undefined ? line : [...line.slice(0, -1), { ...last, text: last.text.trimEnd() }];
  return trimmed
    .map(({ text, token }) => {
      const [on, off] = (coloured && token !== undefined ? colours[token] : undefined) ?? ['', ''];
      return `${on}${text}${off}`;
    })
    .join('');
}
