/** A process outside of the hostile service, told from another one that has the same id. */
export interface KnownProcess {
  readonly pid: number;
  /** When it began, in the kernel's ticks: field 22 of /proc/PID/stat. */
  readonly startedAt: string;
}

/** Everything that the hostile service knows: an attacker has read the source and the machine. */
export interface Knowledge {
  readonly dataDir: string;
  readonly host: KnownProcess;
  readonly others: readonly KnownProcess[];
  readonly baseUrl: string;
  /** Where the other services listen. */
  readonly otherPorts: readonly number[];
  /** The name of a variable that the host and the other services have, and this one doesn't. */
  readonly canary: string;
  readonly controlSocket: string;
  readonly engineSockets: readonly string[];
  /** Files of other deployments: as they are staged, and as they run. */
  readonly stagedFiles: readonly string[];
  readonly ownersRunningFiles: readonly string[];
  readonly strangersRunningFiles: readonly string[];
  /** Files in the home of the host's user. */
  readonly homeFiles: readonly string[];
  /** Files of the program that is the host. */
  readonly programFiles: readonly string[];
  /** A file of the host's user that everybody may read. */
  readonly publicFile: string;
  /** A program that runs as root whoever starts it; undefined where the test can't make one. */
  readonly rootProgram: string | undefined;
}

/** Something a hostile service tries. */
export interface Attack {
  /** A few words after "the service could". */
  readonly name: string;
  /** Returns how far it came. Throws where it was refused. */
  readonly attempt: (knowledge: Knowledge) => Promise<string> | string;
}

/** Thrown for an attempt that came to nothing without an error of the system. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Returns what the first attempt that succeeds does. Throws what the last one threw. */
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

/** A few words without line breaks for what an attempt threw. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Errors of `node:os` carry the system's code here.
  const info = 'info' in error ? (error.info as { readonly code?: string }) : {};
  const code = info.code ?? ('code' in error ? String(error.code) : error.message);
  return code.replaceAll(/\s+/g, ' ').trim();
}
