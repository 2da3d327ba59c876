/** A service that the console can switch to. */
export interface ServiceOption {
  /** Name of the profile; `local` for the host on this machine. */
  readonly name: string;
  /** Host and port, or words for the host on this machine. */
  readonly host: string;
  readonly isReadOnly: boolean;
}

/** A failed switch, and the next step. */
export interface SwitchProblem {
  readonly sentence: string;
  readonly next: string;
}

/** The services that the console knows, and the change from one to another. */
export interface Connection {
  readonly services: readonly ServiceOption[];
  /**
   * Connects to another service, then leaves this one: its drafts are written and its restarts
   * settled. Resolves with the problem where this deck stays, else when the other deck is shown.
   */
  switchTo(name: string): Promise<SwitchProblem | undefined>;
  /** File that the profile reads its token from; undefined where the token has another source. */
  readonly tokenFile: string | undefined;
  /**
   * Tries a token on this service, and continues with it on another deck for this session. Resolves
   * with the problem where this deck stays.
   */
  useToken(token: string): Promise<SwitchProblem | undefined>;
  /** Writes the token of this session to {@link tokenFile}, readable by its owner only. */
  storeToken(): Promise<SwitchProblem | undefined>;
}

/** A connection that knows its own service only. */
export const onlyConnection: Connection = {
  services: [],
  tokenFile: undefined,
  switchTo: async (name) => ({ sentence: `There is no profile ${name}.`, next: '' }),
  useToken: async () => ({ sentence: "This console can't use another token.", next: '' }),
  storeToken: async () => ({ sentence: 'This console stores no token.', next: '' }),
};
