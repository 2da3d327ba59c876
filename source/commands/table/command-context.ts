/** Everything that a command may use. `start` makes it; commands import nothing from there. */
import type { Readable, Writable } from 'node:stream';
import type { Client } from '../../client/client.ts';
import type { Configured, Folders } from '../../config/environment.ts';
import type { ServiceFlags } from '../../config/service-target.ts';
import type { AlertRule } from '../../store/alerts/rule.ts';
import type { Profile } from '../../store/deck/profile.ts';
import type { LogMemory } from '../../store/log/feed/log-source.ts';
import type { RestartDelay } from '../../store/restarts/state.ts';
import type { Clock } from '../../store/time/clock.ts';
import type { Confirm } from '../confirm/confirm.ts';
import type { CommandOutput } from '../output/command-output.ts';
import type { CommonOptions } from './shared-flags.ts';
import type { DescribedCommand } from './described-command.ts';

/** Parts of the process, the shared flags, and the way to write and to ask. */
export interface CommandContext {
  readonly options: CommonOptions;
  /** All commands, for help, completions and documents. */
  readonly commands: readonly DescribedCommand[];
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly folders: Folders;
  readonly home: string;
  readonly cwd: string;
  /** Opens stdin; a command that doesn't read it must not wait for its end. */
  readonly stdin: () => Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** True where stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Cells of a row on the terminal; 80 without one. */
  readonly columns: number;
  readonly clock: Clock;
  /** Aborted by SIGINT and SIGTERM; the command then ends, and its exit code is that of the signal. */
  readonly signal: AbortSignal;
  readonly output: CommandOutput;
  readonly confirm: Confirm;
  /**
   * Opens a text in the person's editor; the name tells the editor its language. A failed edit changes
   * nothing.
   */
  readonly editText: (text: string, name: string) => Promise<EditorResult>;
}

/** Result of editing a text in the person's editor. */
export type EditorResult =
  | { readonly kind: 'changed'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly sentence: string };

/** The service of a command. */
export interface CommandService {
  readonly baseUrl: string;
  /** The token of the profile, to be kept out of what is written. */
  readonly token: string;
  readonly profile: Profile;
  readonly isReadOnly: boolean;
  /** True for the host on this machine. */
  readonly isLocal: boolean;
  /** Identifies the service in local state. */
  readonly stateKey: string;
  readonly restartDelay: RestartDelay | undefined;
  /** Seconds in which a restart is proved; 0 where none is, unless a command asks for it. */
  readonly proofSeconds: number | undefined;
  /** Alert rules; undefined where the person has written none. */
  readonly alerts: readonly AlertRule[] | undefined;
  /** The flags that named it on the command line, for the commands that messages tell. */
  readonly flags: ServiceFlags;
  /** Limits of a log in memory, by the environment and the configuration. */
  readonly logMemory: Configured<LogMemory>;
}

export interface ServiceCommandContext extends CommandContext {
  readonly client: Client;
  readonly service: CommandService;
}
