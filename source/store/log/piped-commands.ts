/** The commands to which lines were piped, for the history of their prompt. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface PipedCommands {
  /** The commands, newest last. */
  readonly state: StoreApi<readonly string[]>;
  /** Adds a command at the end, without its earlier copy. */
  add(command: string): void;
}

/** Most commands that are stored, and the longest one. */
const mostCommands = 50;
const longestCommand = 1000;

/**
 * @param read returns the stored commands, to which another console may have added some.
 * @param keep stores the commands, also for later starts.
 */
export function createPipedCommands(
  read: () => readonly string[] | undefined,
  keep: (commands: readonly string[]) => void,
): PipedCommands {
  const state = createStore<readonly string[]>(() => read() ?? []);
  return {
    state,
    add(command) {
      if (command.length > longestCommand) return;
      const others = (read() ?? state.getState()).filter((one) => one !== command);
      state.setState([...others, command].slice(-mostCommands), true);
      keep(state.getState());
    },
  };
}

/** Parses stored commands; undefined when there are none. */
export function readPipedCommands(stored: unknown): readonly string[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  return stored
    .filter((one): one is string => typeof one === 'string' && one.length <= longestCommand)
    .slice(-mostCommands);
}
