import type { Console } from '../store/console.ts';
import { computeLayout } from './layout.ts';
import type { PaneExtent } from './movement.ts';
import { answerLines } from './notice.ts';
import { detailsLines } from './panes/details.tsx';
import { fileText } from './file-text.ts';

/** Rows and lines of the focused pane in a terminal of this size. */
export function paneExtent(
  console: Console,
  size: { readonly columns: number; readonly rows: number },
): PaneExtent {
  const { focus, fullscreen, widen } = console.screen.getState();
  const layout = computeLayout({ ...size, focus, fullscreen, widen });
  const lines = focus === 'main' ? mainLines(console) : 0;
  switch (layout.kind) {
    case 'tiny':
      return { rows: 1, lines };
    case 'single':
    case 'fullscreen':
      return { rows: layout.height, lines };
    case 'split': {
      const left = layout.left.find(({ pane }) => pane === focus);
      return { rows: (left?.height ?? layout.height) - 1, lines };
    }
  }
}

/** Lines of the text in pane 4; the log and the editor count their own. */
function mainLines(console: Console): number {
  const { main } = console.screen.getState();
  switch (main.kind) {
    case 'logs':
    case 'editor':
      return 0;
    case 'file': {
      const body = console.files.state.getState().opened?.body;
      return body === undefined ? 0 : fileText(body).notes.length + fileText(body).lines.length;
    }
    case 'deployment':
    case 'grant':
      return detailsLines(console, main, console.clock.now()).length;
    case 'answer':
      return answerLines(console[main.pane].list.state.getState().error).length;
  }
}
