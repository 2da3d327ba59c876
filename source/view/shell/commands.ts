/** Collects the commands of all nouns, one line a noun. */
import type { Commands } from '../command/registry.ts';
import { deploymentCommands, restartCommand } from '../deployments/commands.ts';
import { detailCommands } from '../details/commands.ts';
import { editorCommands } from '../editor/commands.ts';
import { fileCommands } from '../files/commands.ts';
import { grantCommands } from '../grants/commands.ts';
import { historyCommands } from '../history/commands.ts';
import { logCommands } from '../log/commands.ts';
import { restartCommands } from '../restarts/commands.ts';
import { movementCommands } from './movement-commands.ts';
import { listCommands } from './order-commands.ts';
import { paneCommands } from './pane-commands.ts';
import { palettePaneCommands, programCommands } from './program-commands.ts';
import { quitCommands } from './quit-commands.ts';

/** All commands; footer and help list those of one group in this order. */
export const registeredCommands: Commands = [
  ...deploymentCommands,
  ...logCommands,
  ...fileCommands,
  ...grantCommands,
  ...editorCommands,
  ...detailCommands,
  ...historyCommands,
  restartCommand,
  ...restartCommands,
  ...movementCommands,
  ...listCommands,
  ...palettePaneCommands,
  ...paneCommands,
  ...programCommands,
  ...quitCommands,
];
