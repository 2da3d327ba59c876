import type { Deck } from '../../store/deck/deck.ts';
import { deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import { isNewDeployment, nameIn } from '../../store/drafts/places.ts';
import { digitOf } from '../../store/deck/screen/focus.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import { listedDeployment } from '../command/row-under-cursor.ts';
import { patternsTitle } from '../log/patterns/patterns-title.ts';
import { logPaneTitle } from '../log/title.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'deployments' | 'opened' | 'files' | 'editor'>;

/** Returns the title of pane 4 without its frame: digit, name, subject and counts. */
export function mainPaneTitle(deck: Handles, long: boolean): string {
  return `${digitOf('main')} ${mainTitle(deck, long)}`;
}

/** Returns the subject that row 1 shows instead of host and wallet, in the editor or full screen. */
export function rowSubject(deck: Handles, { focus, main, fullscreen }: Screen): string | undefined {
  if (main.kind === 'editor') {
    const place = deck.editor.state.getState().file?.place;
    return place === undefined
      ? undefined
      : `${deck.deployments.label(place.deploymentId)}/${place.service}`;
  }
  // The full-screen log needs no "Logs" before its name.
  return fullscreen && focus === 'main'
    ? mainTitle(deck, true).replace(/^Logs (?=.)/, '')
    : undefined;
}

/** Returns the title of pane 4 for its view. */
function mainTitle(deck: Handles, long: boolean): string {
  const { main } = deck.screen.getState();
  switch (main.kind) {
    case 'logs':
      return logPaneTitle(deck, long);
    case 'patterns':
      return patternsTitle(deck, long);
    case 'file':
      return `View ${deck.files.state.getState().opened?.path ?? ''}`;
    case 'editor':
      return `Edit ${deck.editor.state.getState().document?.title ?? ''}`;
    case 'diff': {
      const { shown } = deck.editor.difference.state.getState();
      return shown === undefined
        ? 'Diff'
        : isNewDeployment(shown.place)
          ? 'Diff new deployment'
          : `Diff ${nameIn(shown.place.path)}: draft against service`;
    }
    case 'deployment': {
      const deployment = listedDeployment(deck, main.id);
      return `Details ${deployment === undefined ? shortId(main.id) : deploymentLabel(deployment)}`;
    }
    case 'history':
      return 'History';
    case 'grant':
      return 'Details grant';
    case 'line':
      return `Details ${main.entry.kind}`;
    case 'answer':
      return 'Answer as it came';
  }
}
