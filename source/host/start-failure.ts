export type StartFailureCode =
  /** Another host has locked the data folder. */
  | 'locked'
  | 'unusable-data'
  /** The host may not use the data folder, so nothing is written into it. */
  | 'refused-folder'
  | 'newer-data'
  | 'port-taken'
  /** The address is not an address of this machine. */
  | 'no-address'
  /** The certificate or its key is unusable. */
  | 'unusable-tls'
  /** Sandboxes were requested and can't be created. */
  | 'no-sandbox'
  /** Other machines would reach services that are not isolated from the host. */
  | 'no-isolation'
  /** No host answered in time. */
  | 'no-answer'
  | 'internal';

/** A host that did not start or was not reached, as a sentence for a person and a next step. */
export class StartFailure extends Error {
  readonly code: StartFailureCode;
  readonly sentence: string;
  readonly next: string;

  constructor(code: StartFailureCode, sentence: string, next: string) {
    super(`${sentence} ${next}`);
    this.code = code;
    this.sentence = sentence;
    this.next = next;
  }
}

export function unusableDataFolder(dataDir: string, error: unknown): StartFailure {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartFailure(
    'unusable-data',
    `The data folder ${dataDir} cannot be used: ${reason}.`,
    'Make it writable for this user, or name another folder with --data.',
  );
}
