/** The open box or prompt in words. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Commands } from '../../command/registry.ts';
import type { HeardBox } from './heard.ts';
import { hearFilterPrompt, hearFind, hearPrompt } from './hear-prompts.ts';
import { hearHelp, hearPalette, hearTrash } from './hear-searches.ts';
import { hearLogColumns, hearLogFilters, hearLogServices, hearMenu } from './hear-lists.ts';
import { hearGrantForm } from './hear-grant-form.ts';
import { hearQuestion, hearRestart, hearRestarts } from './hear-questions.ts';

/** Returns the open box in words; undefined for none. */
export function hearBox(deck: Deck, commands: Commands): HeardBox | undefined {
  const { overlay } = deck.screen.getState();
  switch (overlay?.kind) {
    case undefined:
      return undefined;
    case 'filter':
      return hearFilterPrompt(deck, overlay);
    case 'find':
      return hearFind(deck, overlay);
    case 'prompt':
      return hearPrompt(overlay);
    case 'palette':
      return hearPalette(deck, overlay);
    case 'help':
      return hearHelp(deck, overlay, commands);
    case 'trash':
      return hearTrash(deck, overlay);
    case 'menu':
      return hearMenu(deck, overlay);
    case 'log-services':
      return hearLogServices(deck, overlay);
    case 'log-columns':
      return hearLogColumns(deck, overlay);
    case 'log-filters':
      return hearLogFilters(deck, overlay);
    case 'question':
      return hearQuestion(deck, overlay);
    case 'restart':
      return hearRestart(deck, overlay);
    case 'restarts':
      return hearRestarts(deck, overlay);
    case 'grant':
      return hearGrantForm(deck, overlay);
  }
}
