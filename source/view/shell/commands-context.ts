import { createContext, useContext } from 'react';
import type { Commands } from '../command/registry.ts';
import { registeredCommands } from './commands.ts';

/** The commands with the keys of the configuration. */
export const CommandsContext = createContext<Commands>(registeredCommands);

export function useCommands(): Commands {
  return useContext(CommandsContext);
}
