export type StartFailureCode =
  /** Another host holds the data folder. */
  | 'locked'
  | 'unusable-data'
  /** The data folder is not the host's to use, so nothing is written into it. */
  | 'refused-folder'
  | 'newer-data'
  | 'port-taken'
  /** An address that this machine does not have. */
  | 'no-address'
  /** A certificate or key that cannot be used. */
  | 'unusable-tls'
  /** Sandboxes were asked for and cannot be made. */
  | 'no-sandbox'
  /** Other machines would get to services that nothing keeps from the host. */
  | 'no-isolation'
  /** No host answered in time. */
  | 'no-answer'
  | 'internal';

/** Why a host did not start or could not be reached: a sentence for a person, and what to do. */
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

export function unusableData(dataDir: string, error: unknown): StartFailure {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartFailure(
    'unusable-data',
    `The data folder ${dataDir} cannot be used: ${reason}.`,
    'Make it writable for this user, or name another folder with --data.',
  );
}
