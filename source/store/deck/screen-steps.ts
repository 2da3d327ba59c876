import { startOfList } from '../lists/cursor.ts';
import type { GrantForm } from '../grants/form.ts';
import { noMarks } from '../lists/marks.ts';
import { type Covered, type MainView, type Screen, staysUntilEscape } from './screen.ts';

/** One step of Esc: what it undoes first comes first (screens, rule 6). */
export function escapeStep(screen: Screen): Partial<Screen> | undefined {
  if (screen.overlay?.kind === 'filter') {
    const { pane, before, cursor } = screen.overlay;
    return {
      overlay: undefined,
      filters: { ...screen.filters, [pane]: before },
      cursors: { ...screen.cursors, [pane]: cursor },
    };
  }
  if (screen.overlay?.kind === 'grant') return leaveForm(screen, screen.overlay);
  if (screen.overlay?.kind === 'help') return { overlay: screen.overlay.over };
  if (screen.overlay !== undefined) return { overlay: undefined };
  if (staysUntilEscape(screen.message)) return { message: undefined };
  if (screen.focus === 'files' && screen.marks.size > 0) return { marks: noMarks };
  if (screen.focus === 'deployments' && screen.deploymentMarks.size > 0) {
    return { deploymentMarks: noMarks };
  }
  if (screen.focus !== 'main' && screen.filters[screen.focus] !== '') {
    return { filters: { ...screen.filters, [screen.focus]: '' } };
  }
  if (screen.fullscreen) return { fullscreen: false };
  if (screen.focus === 'main' && screen.main.kind !== 'logs') return closeView(screen);
  return undefined;
}

/** The form is left with what was typed kept for the next one. */
export function leaveForm({ keptGrants }: Screen, form: GrantForm): Partial<Screen> {
  return { overlay: undefined, keptGrants: new Map(keptGrants).set(form.origin, form) };
}

/**
 * The view of pane 4 gives way to the log, and the focus goes back to where it was opened. A
 * difference and the history give way to the view they were opened from.
 */
export function closeView(screen: Screen): Partial<Screen> {
  const { main } = screen;
  if ('over' in main && main.over !== undefined) return { ...main.over, focus: 'main' };
  return { main: { kind: 'logs' }, focus: screen.viewedFrom, scroll: { top: 0, left: 0 } };
}

/** The viewer gives way when its file is no longer among those listed, also below a difference. */
export function leaveFile(screen: Screen): Partial<Screen> {
  return holdsView(screen.main, 'file') ? closeView({ ...screen, main: { kind: 'file' } }) : {};
}

/** A view opened into pane 4, remembering the pane to return to. */
export function openView(screen: Screen, main: MainView): Partial<Screen> {
  const { focus } = screen;
  const overView = focus === 'main' && screen.main.kind !== 'logs';
  return {
    main,
    focus: 'main',
    cameFrom: focus === 'main' ? screen.cameFrom : focus,
    viewedFrom: overView ? screen.viewedFrom : focus,
    scroll: { top: 0, left: 0 },
    detailCursor: startOfList,
  };
}

/** A difference opened into pane 4, which gives way to the view that it covers. */
export function openDiff(screen: Screen): Partial<Screen> {
  return openView(screen, { kind: 'diff', over: coveredBy(screen) });
}

/** The history opened into pane 4 at its end, which gives way to the view that it covers. */
export function openHistory(screen: Screen): Partial<Screen> {
  const { focus, main, scroll } = screen;
  const end = { top: Number.POSITIVE_INFINITY, left: 0 };
  if (main.kind === 'history') {
    return focus === 'main' ? { scroll: end } : { focus: 'main', cameFrom: focus, scroll: end };
  }
  const over = focus === 'main' && main.kind !== 'logs' ? { main, scroll } : coveredBy(screen);
  return { ...openView(screen, { kind: 'history', over }), scroll: end };
}

/** The editor is left by its own keys only: it comes back also where a pane covered it. */
function coveredBy({ main, focus, scroll }: Screen): Covered | undefined {
  if ('over' in main) return below(main.over);
  return focus === 'main' && main.kind !== 'logs' ? { main, scroll } : undefined;
}

function below(over: Covered | undefined): Covered | undefined {
  return over !== undefined && 'over' in over.main ? below(over.main.over) : over;
}

/** Whether pane 4 shows this, or comes back to it from what lies over it. */
export function holdsView(main: MainView, kind: 'file' | 'editor' | 'diff'): boolean {
  if (main.kind === kind) return true;
  return 'over' in main && main.over !== undefined && holdsView(main.over.main, kind);
}
