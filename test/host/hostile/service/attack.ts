/** A process outside of the hostile service, identified by its id and start time. */
export interface KnownProcess {
  readonly pid: number;
  /** Start time in the kernel's ticks: field 22 of /proc/PID/stat. */
  readonly startedAt: string;
}

/** The hostile service's knowledge: an attacker knows the source and the machine. */
export interface Knowledge {
  readonly dataDir: string;
  readonly host: KnownProcess;
  readonly others: readonly KnownProcess[];
  readonly baseUrl: string;
  /** Ports of the other services. */
  readonly otherPorts: readonly number[];
  /** Name of a variable that only the host and the other services have. */
  readonly canary: string;
  readonly controlSocket: string;
  readonly engineSockets: readonly string[];
  /** Files of other deployments, in staged and in run trees. */
  readonly stagedFiles: readonly string[];
  readonly ownersRunningFiles: readonly string[];
  readonly strangersRunningFiles: readonly string[];
  /** Files in the home of the host's user. */
  readonly homeFiles: readonly string[];
  /** Files of the host's program. */
  readonly programFiles: readonly string[];
  /** A file of the host's user that every user can read. */
  readonly publicFile: string;
  /** A setuid program of root; undefined when the test can't create one. */
  readonly rootProgram: string | undefined;
}

/** An attack of a hostile service. */
export interface Attack {
  /** A phrase that completes "the service could". */
  readonly name: string;
  /** Returns a description of the success. Throws when the attack is refused. */
  readonly attempt: (knowledge: Knowledge) => Promise<string> | string;
}

/** Thrown by an attack that failed without a system error. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Returns the result of the first successful attempt. Throws the error of the last one. */
export async function firstOf(
  attempts: readonly (() => Promise<string> | string)[],
): Promise<string> {
  let last: unknown = new Refused('nothing to try');
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** Returns an error as a few words on one line. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Errors of `node:os` have the system's code in `info`.
  const info = 'info' in error ? (error.info as { readonly code?: string }) : {};
  const code = info.code ?? ('code' in error ? String(error.code) : error.message);
  return code.replaceAll(/\s+/g, ' ').trim();
}
