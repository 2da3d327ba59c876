/** All commands, noun by noun, in the order of the help. */
import { completionShellCommands } from '../completion/commands.ts';
import { consoleShellCommands } from '../console/commands.ts';
import { deploymentShellCommands } from '../deployments/commands.ts';
import { fileShellCommands } from '../files/commands.ts';
import { doctorShellCommands } from '../doctor/commands.ts';
import { grantShellCommands } from '../grants/commands.ts';
import { helpShellCommands } from '../help/commands.ts';
import { hostShellCommands } from '../host/commands.ts';
import { incidentShellCommands } from '../incident/commands.ts';
import { logShellCommands } from '../logs/commands.ts';
import { profileShellCommands } from '../profiles/commands.ts';
import { syncShellCommands } from '../sync/commands.ts';
import { watchShellCommands } from '../watch/commands.ts';
import { whoamiShellCommands } from '../whoami/commands.ts';
import type { CommandSpec } from './command-spec.ts';

/** The table from which parsing, help, completions and documents are made. */
export const commandTable: readonly CommandSpec[] = [
  ...consoleShellCommands,
  ...deploymentShellCommands,
  ...fileShellCommands,
  ...syncShellCommands,
  ...grantShellCommands,
  ...logShellCommands,
  ...incidentShellCommands,
  ...watchShellCommands,
  ...whoamiShellCommands,
  ...profileShellCommands,
  ...doctorShellCommands,
  ...hostShellCommands,
  ...completionShellCommands,
  ...helpShellCommands,
];
