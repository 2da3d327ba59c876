/** Collects the commands of all nouns, one line a noun. */
import { listPaneNames } from '../../store/lists/list-panes.ts';
import type { Commands } from '../command/registry.ts';
import { appearanceCommands } from './appearance-commands.ts';
import { alertCommands } from './alert-commands.ts';
import { restartCommand } from '../deployments/commands.ts';
import { detailCommands } from '../details/commands.ts';
import { editorCommands } from '../editor/commands.ts';
import { historyCommands } from '../history/commands.ts';
import { incidentCommands } from '../incident/commands.ts';
import { logCommands } from '../log/commands.ts';
import { restartCommands } from '../restarts/commands.ts';
import { trashCommands } from '../trash/commands.ts';
import { listPaneViews } from './list-panes.tsx';
import { movementCommands } from './movement-commands.ts';
import { listCommands } from './order-commands.ts';
import { paneCommands } from './pane-commands.ts';
import { palettePaneCommands, programCommands } from './program-commands.ts';
import { quitCommands } from './quit-commands.ts';
import { settingCommands } from './setting-commands.ts';
import { profileCommand } from './switch-profile.ts';
import { tokenCommand } from './token-prompt.ts';
import { textSearchCommands } from './text-search-commands.ts';

/** All commands; footer and help list those of one group in this order. */
export const registeredCommands: Commands = [
  ...listPaneNames.flatMap((pane) => listPaneViews[pane].commands),
  ...alertCommands,
  ...logCommands,
  ...editorCommands,
  ...detailCommands,
  ...historyCommands,
  ...incidentCommands,
  ...textSearchCommands,
  restartCommand,
  ...restartCommands,
  ...movementCommands,
  ...listCommands,
  ...palettePaneCommands,
  ...paneCommands,
  ...trashCommands,
  ...programCommands,
  ...appearanceCommands,
  ...settingCommands,
  profileCommand,
  tokenCommand,
  ...quitCommands,
];
