/** The values of the configuration file. */
import type { ConfigProblem, StreamAuth } from './environment.ts';
import type { AlertRule } from '../store/alerts/rule.ts';
import type { ProfileColour } from '../store/deck/profile.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

export const themeNames = ['auto', 'dark', 'light', 'contrast', 'mono'] as const;
export type ThemeName = (typeof themeNames)[number];

/** Colours of a profile's name in row 1; a red name is drawn as production. */
export type NameColour = 'red' | ProfileColour;
export const nameColours = [
  'red',
  'yellow',
  'green',
  'cyan',
  'magenta',
] as const satisfies readonly NameColour[];

/** The source of a profile's token; the file never holds the token itself. */
export type ProfileToken =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string };

/** A service that the file describes. */
export interface ConfiguredProfile {
  readonly name: string;
  readonly baseUrl: string;
  readonly token: ProfileToken | undefined;
  readonly wallet: string | undefined;
  readonly readOnly: boolean;
  readonly colour: NameColour | undefined;
  readonly restartDelay: RestartDelay | undefined;
  /** Seconds in which a restart is proved; 0 proves none. */
  readonly proofSeconds: number | undefined;
  readonly streamAuth: StreamAuth | undefined;
  /** Rules that replace those of the file; undefined where the profile has none. */
  readonly alerts: readonly AlertRule[] | undefined;
}

/** Keys that replace the default keys of a command; none leave it without a key. */
export interface KeySetting {
  readonly keys: readonly string[];
  /** Line of the file, for messages. */
  readonly line: number;
}

/** All values of the configuration file; what it leaves out is undefined or empty. */
export interface ConfigFile {
  /** Path of the file, whether it exists or not. */
  readonly path: string;
  /** Profiles by name, in the order of the file. */
  readonly profiles: ReadonlyMap<string, ConfiguredProfile>;
  /** Name of the profile to connect to when neither a flag nor a variable names a service. */
  readonly defaultProfile: string | undefined;
  readonly theme: ThemeName | undefined;
  /** Keys by the id of their command, as written: the view knows which there are. */
  readonly keys: ReadonlyMap<string, KeySetting>;
  readonly logMemory: LogMemory;
  /** Whether an alert rings the terminal's bell. */
  readonly bell: boolean | undefined;
  /** Rules of services whose profile has none. */
  readonly alerts: readonly AlertRule[] | undefined;
  /** Mistakes with which the program starts, with their lines; the default is used instead. */
  readonly warnings: readonly ConfigProblem[];
}

/** Name of the host on this machine, which no profile may have. */
export const localProfile = 'local';

/** Returns the values of a file that doesn't exist. */
export function emptyConfig(file: string): ConfigFile {
  return {
    path: file,
    profiles: new Map(),
    defaultProfile: undefined,
    theme: undefined,
    keys: new Map(),
    logMemory: { maxLines: undefined, maxBytes: undefined },
    bell: undefined,
    alerts: undefined,
    warnings: [],
  };
}
