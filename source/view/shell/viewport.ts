import type { Deck } from '../../store/deck/deck.ts';
import { diffLaid } from '../editor/diff-rows.ts';
import { historyRows } from '../history/rows.ts';
import { computeLayout, type Layout, mainArea } from './layout.ts';
import type { PaneViewport } from '../command/action.ts';
import { detailRows } from '../details/details.ts';
import { showsHistogram } from '../log/histogram/histogram-row.ts';
import { listedPatterns, patternPaneRows } from '../log/patterns/pattern-cursor.ts';
import { hasQueryStrip } from '../log/state-line.ts';
import { viewedText } from '../files/text.ts';

/** The handles that the texts of pane 4 need. */
type MainHandles = Pick<
  Deck,
  | 'lists'
  | 'clock'
  | 'screen'
  | 'history'
  | 'deployments'
  | 'opened'
  | 'files'
  | 'grants'
  | 'colours'
>;

/** Returns the rows of the strip above a text that is searched. */
export function stripRows({ textSearch }: Pick<Deck, 'textSearch'>): number {
  const { query, problem } = textSearch.state.getState();
  return query === undefined && problem === undefined ? 0 : 1;
}

/** Returns the viewport of the focused pane in a terminal of this size. */
export function paneViewport(
  deck: MainHandles & Pick<Deck, 'editor' | 'textSearch'>,
  size: { readonly columns: number; readonly rows: number },
): PaneViewport {
  const viewport = wholeViewport(deck, size);
  const { focus, main } = deck.screen.getState();
  if (focus !== 'main' || main.kind === 'editor') return viewport;
  if (main.kind === 'logs') return logViewport(deck, viewport, size.rows);
  const height = viewport.rows - stripRows(deck);
  const { header, facts } = patternPaneRows(height);
  const besides = main.kind === 'patterns' ? header + facts : 0;
  return { ...viewport, rows: Math.max(1, height - besides) };
}

/** Returns the viewport of the log without the rows above its lines. */
function logViewport(
  deck: Pick<Deck, 'screen' | 'opened'>,
  viewport: PaneViewport,
  terminalRows: number,
): PaneViewport {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return viewport;
  const { histogram: choice } = deck.screen.getState();
  const hasTimes = tail.histogram.state.getState().kind !== 'untimed';
  const hasHistogram = hasTimes && showsHistogram(choice, terminalRows, viewport.rows);
  const above = (hasQueryStrip(tail) ? 1 : 0) + (hasHistogram ? 1 : 0);
  return { ...viewport, rows: Math.max(1, viewport.rows - above), hasHistogram };
}

function wholeViewport(
  deck: MainHandles & Pick<Deck, 'editor'>,
  size: { readonly columns: number; readonly rows: number },
): PaneViewport {
  const { focus, main, fullscreen, widen, listRows } = deck.screen.getState();
  const layout = computeLayout({ ...size, focus, fullscreen, widen, listRows });
  if (focus === 'main' && main.kind === 'diff') return diffViewport(deck, layout);
  const lines = focus === 'main' ? mainLines(deck, layout) : 0;
  switch (layout.kind) {
    case 'tiny':
      return { rows: 1, lines };
    case 'single':
      return { rows: layout.height, lines };
    case 'fullscreen':
      return { rows: layout.height - (focus === 'main' ? 0 : 1), lines };
    case 'split': {
      const left = layout.left.find(({ pane }) => pane === focus);
      return { rows: (left?.height ?? layout.height) - 1, lines };
    }
  }
}

/** Returns the viewport of a difference, whose fixed first row names the two sides. */
function diffViewport(deck: Pick<Deck, 'editor'>, layout: Layout): PaneViewport {
  const { shown } = deck.editor.difference.state.getState();
  if (layout.kind === 'tiny' || shown === undefined) return { rows: 1, lines: 0 };
  const { width, height } = mainArea(layout);
  const { rows, changes } = diffLaid(shown.comparison, width);
  return { rows: Math.max(1, height - 1), lines: rows.length, changes };
}

/** Counts the lines of pane 4's text; 0 for the log, the editor and a difference. */
function mainLines(deck: MainHandles, layout: Layout): number {
  const { main } = deck.screen.getState();
  switch (main.kind) {
    case 'logs':
    case 'editor':
    case 'diff':
      return 0;
    case 'patterns':
      return listedPatterns(deck).length;
    case 'file': {
      const body = deck.files.state.getState().opened?.body;
      return body === undefined ? 0 : viewedText(body).notes.length + viewedText(body).lines.length;
    }
    case 'history':
      return layout.kind === 'tiny'
        ? 0
        : historyRows(deck.history.entries.getState(), mainArea(layout).width).length;
    case 'deployment':
    case 'grant':
    case 'answer':
    case 'line':
      return detailRows(deck, main, deck.clock.serviceNow()).length;
  }
}
