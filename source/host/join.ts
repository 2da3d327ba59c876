import { accessSync, constants } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { HostInfo } from './control/control.ts';
import { ControlClient } from './control/control-client.ts';
import { controlSocketPath } from './control/control-path.ts';
import { clearFailureNote, readFailureNote } from './failure-note.ts';
import { claimDataFolder } from './records/data-folder.ts';
import { fullDiskOf, StartFailure, unusableDataFolder } from './start-failure.ts';

export interface JoinOptions {
  readonly dataDir: string;
  /** Starts `hostdeck host --leased` on the folder as a separate process, whose exit code is null until it ends. */
  readonly spawn: () => { readonly exitCode: number | null };
  readonly timeoutMs?: number | undefined;
}

/** A leased host, which runs at least until {@link release} is called. */
export interface JoinedHost extends HostInfo {
  /** Resolves when the connection to the host closes, by the host or by {@link release}. */
  readonly disconnected: Promise<void>;
  /** Resolves with true when the host ends after {@link release}, since nobody else needs it. */
  isLastLease(): Promise<boolean>;
  release(): void;
}

export type JoinResult =
  | { readonly ok: true; readonly value: JoinedHost }
  | { readonly ok: false; readonly error: StartFailure };

/** Exceeds the time for which a stopping host may keep the folder locked. */
const joinTimeoutMs = 20_000;

const pollMs = 50;

/**
 * Joins the host on a data folder, starting one if necessary, and keeps it running until `leave`.
 * Two consoles that start at the same time both spawn a host: the second host finds the folder
 * locked and exits, and both consoles join the first.
 */
export async function joinHost(options: JoinOptions): Promise<JoinResult> {
  try {
    return { ok: true, value: await join(options) };
  } catch (error) {
    if (error instanceof StartFailure) return { ok: false, error };
    const message = error instanceof Error ? error.message : String(error);
    const failure = `The host did not start: ${message}.`;
    const next = 'Try again, or name another folder with --data.';
    return { ok: false, error: new StartFailure('internal', failure, next) };
  }
}

async function join({
  dataDir,
  spawn,
  timeoutMs = joinTimeoutMs,
}: JoinOptions): Promise<JoinedHost> {
  assertUsable(dataDir);
  const socket = controlSocketPath(dataDir);
  const running = await lease(socket);
  if (running !== undefined) return running;
  clearFailureNote(dataDir);
  const host = spawn();
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    await setTimeout(pollMs);
    const started = await lease(socket);
    if (started !== undefined) return started;
    // A host that found the folder locked by another one exits with 0.
    const hasFailed = host.exitCode !== null && host.exitCode !== 0;
    const failure = readFailureNote(dataDir);
    if (failure !== undefined) throw failure;
    // On a full disk it couldn't write why.
    if (hasFailed) throw fullDiskOf(dataDir) ?? endedHost(dataDir);
  }
  throw new StartFailure(
    'no-answer',
    `The host on ${dataDir} did not answer within ${Math.round(timeoutMs / 1000)} s.`,
    'Run "hostdeck host" in another terminal to see why.',
  );
}

function endedHost(dataDir: string): StartFailure {
  return new StartFailure(
    'no-answer',
    `The host on ${dataDir} ended while it started.`,
    'Run "hostdeck host" in another terminal to see why.',
  );
}

/** Checks the folder here, since a host that can't use the folder can't write its failure there. */
function assertUsable(dataDir: string) {
  claimDataFolder(dataDir);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableDataFolder(dataDir, error);
  }
}

async function lease(socket: string): Promise<JoinedHost | undefined> {
  const client = await ControlClient.connect(socket);
  const hello = await client?.lease();
  if (client === undefined || hello === undefined) return undefined;
  return {
    ...hello,
    disconnected: client.closed,
    async isLastLease() {
      const info = await client.hello().catch(() => undefined);
      return info?.leases === 1;
    },
    release() {
      client.close();
    },
  };
}
