import { noMarks } from '../../lists/marks.ts';
import type { FocusState } from './focus.ts';
import { type FormsState, leaveGrantForm } from './forms.ts';
import type { ListViewsState } from './list-views.ts';
import { goBack, type MainViewState } from './main-view.ts';
import { type MessageState, staysUntilEscape } from './message.ts';
import type { OverlayState } from './overlay.ts';

type State = OverlayState & MessageState & FocusState & ListViewsState & MainViewState & FormsState;

/** Returns the state change of one Esc, topmost element first; undefined where Esc does nothing. */
export function escapeStep(state: State): Partial<State> | undefined {
  if (state.overlay?.kind === 'filter') {
    const { pane, before, cursor } = state.overlay;
    return {
      overlay: undefined,
      filters: { ...state.filters, [pane]: before },
      cursors: { ...state.cursors, [pane]: cursor },
    };
  }
  if (state.overlay?.kind === 'grant') return leaveGrantForm(state, state.overlay);
  if (state.overlay?.kind === 'help') return { overlay: state.overlay.over };
  if (state.overlay !== undefined) return { overlay: undefined };
  if (staysUntilEscape(state.message)) return { message: undefined };
  if (state.focus === 'files' && state.marks.size > 0) return { marks: noMarks };
  if (state.focus === 'deployments' && state.deploymentMarks.size > 0) {
    return { deploymentMarks: noMarks };
  }
  if (state.focus !== 'main' && state.filters[state.focus] !== '') {
    return { filters: { ...state.filters, [state.focus]: '' } };
  }
  return backStep(state);
}

/** Returns the state one step back: out of full screen, else to the place before; undefined at the start. */
export function backStep(state: FocusState & MainViewState): Partial<State> | undefined {
  return state.fullscreen ? { fullscreen: false } : goBack(state);
}
