/** Acts on clicks in a box. They select; only where Enter changes nothing, a second one is Enter. */
import type { Deck } from '../../store/deck/deck.ts';
import { chosenChange, moveInTrash } from '../../store/drafts/trash-list.ts';
import { grantStops } from '../../store/grants/form.ts';
import { moveToService, serviceRowIndex, serviceRows } from '../../store/log/reader/services.ts';
import { chosenIndex } from '../../store/prompts/palette.ts';
import type { Overlay } from '../../store/deck/screen/overlay.ts';
import { chooseGrantee, goToStop, moveToGrantee } from '../grants/form-keys.ts';
import { logChoices } from '../log/services.ts';
import { menuClickKeys } from '../popup/menu-keys.ts';
import { pendingRestartRows } from '../restarts/rows.ts';
import type { BoxStop } from '../text/line.ts';
import { trashRows } from '../trash/rows.ts';

/** The handles that clicks in boxes act on. */
export type BoxClickHandles = Pick<
  Deck,
  | 'screen'
  | 'messages'
  | 'lists'
  | 'deployments'
  | 'restarts'
  | 'opened'
  | 'grants'
  | 'profile'
  | 'clock'
>;

const none: readonly string[] = [];

/**
 * Selects a place of the open box, and returns the keys that the click stands for. Buttons are only
 * selected, because many of them write.
 * @param isRepeated whether the last input was a click on the same place.
 */
export function clickInBox(
  deck: BoxClickHandles,
  overlay: Overlay,
  stop: BoxStop,
  isRepeated: boolean,
): readonly string[] {
  const open = (box: Overlay): void => deck.screen.overlay.open(box);
  const { kind, index, name } = stop;
  switch (overlay.kind) {
    case 'question':
      if (kind === 'button') open({ ...overlay, chosen: index });
      return none;
    case 'restart':
      if (kind === 'button') open({ ...overlay, button: index });
      return none;
    case 'restarts': {
      if (kind === 'button') open({ ...overlay, button: index });
      const row = pendingRestartRows(deck, overlay.deployment).find(({ id }) => id === name);
      if (kind === 'row' && row !== undefined) {
        open({ ...overlay, deployment: row.id, scroll: undefined });
      }
      return none;
    }
    case 'grant':
      return clickInGrant(deck, stop, isRepeated);
    case 'trash': {
      const shown = trashRows(deck, overlay);
      open(moveInTrash(overlay, shown, index - chosenChange(overlay, shown)));
      return none;
    }
    case 'log-columns':
    case 'log-filters':
      if (isRepeated && overlay.index === index) return ['space'];
      open({ ...overlay, index });
      return none;
    case 'log-services': {
      const rows = serviceRows(logChoices(deck), overlay.narrow);
      const step = index - serviceRowIndex(overlay, rows);
      if (isRepeated && step === 0) return ['enter'];
      open(moveToService(overlay, rows, step));
      return none;
    }
    case 'palette': {
      const rows = overlay.rows(overlay.text);
      if (isRepeated && chosenIndex(overlay, rows) === index) return ['enter'];
      open({ ...overlay, chosen: rows[index]?.id, recalled: 0 });
      return none;
    }
    case 'help':
      // Over another box, Enter only returns to it.
      if (isRepeated && overlay.chosen === name && overlay.over === undefined) return ['enter'];
      open({ ...overlay, chosen: name });
      return none;
    case 'menu':
      return menuClickKeys(stop, isRepeated);
    case 'filter':
    case 'prompt':
    case 'find':
      return none;
  }
}

/** Selects a field, a button or a grantee of the form; a second click chooses the grantee. */
function clickInGrant(
  deck: BoxClickHandles,
  { kind, index, name }: BoxStop,
  isRepeated: boolean,
): readonly string[] {
  const { overlay: form } = deck.screen.getState();
  if (form?.kind !== 'grant') return none;
  if (kind === 'item' && isRepeated && form.row === name) chooseGrantee(deck, name);
  else if (kind === 'item') moveToGrantee(deck, name);
  else {
    const stops = kind === 'button' ? (['back', 'grant'] as const) : grantStops;
    const next = stops[index];
    if (next !== undefined) goToStop(form, next, deck);
  }
  return none;
}
