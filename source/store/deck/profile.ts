import type { ServiceKind } from '../editor/templates.ts';

/** Colours of a profile's name besides that of production. */
export type ProfileColour = 'yellow' | 'green' | 'cyan' | 'magenta';

/** The service that the console is connected to, for row 1 and the boxes. */
export interface Profile {
  readonly name: string;
  /** True for production, whose name is drawn in upper case on red. */
  readonly production: boolean;
  /** Colour of the name of other services; bold by default. */
  readonly colour?: ProfileColour | undefined;
  readonly host: string;
  readonly wallet: string | undefined;
  /**
   * Variable, setting or file that the token came from; empty without a token, and undefined for the
   * host on this machine, which needs none.
   */
  readonly tokenSource?: string | undefined;
  /** Kinds of services that a hostdeck host runs; undefined for other hosts, which run images. */
  readonly workloads?: readonly ServiceKind[] | undefined;
  /** True for a host on this machine that this console has started, and which is starting still. */
  readonly isHostNew?: boolean | undefined;
}

/** Returns what pane 1 says from the start of the host on this machine until there is data. */
export function hostStartText(ellipsis: string): string {
  return `Starting the host on this machine${ellipsis}`;
}

/** Returns the name as it is drawn: upper case for production. */
export function profileName({ name, production }: Pick<Profile, 'name' | 'production'>): string {
  return production ? name.toUpperCase() : name;
}
