import { issueToken, walletBalance } from './administration.ts';
import {
  type BackupCommand,
  type RestoreCommand,
  runBackup,
  runRestore,
} from './backup/backup-commands.ts';
import { volumeSourceOf } from './make-runtime.ts';
import { loadTlsCertificate, type TlsFiles } from './server/exposure.ts';
import { writeFailureNote } from './failure-note.ts';
import type { HostOutput } from './host-output.ts';
import { type Host, type HostOptions, startHost } from './server/serve.ts';
import { Refusal } from './refusal.ts';
import { StartFailure } from './start-failure.ts';

/** The address on which other machines reach the host; unencrypted without certificate files. */
export interface ExposureOptions {
  readonly address: string;
  readonly port?: number | undefined;
  readonly tls?: TlsFiles | undefined;
}

/** `hostdeck host` with its flags parsed. */
interface ServeCommand
  extends Pick<
    HostOptions,
    | 'address'
    | 'port'
    | 'names'
    | 'runtime'
    | 'registry'
    | 'overcommit'
    | 'takeOver'
    | 'sandbox'
    | 'trustWallets'
    | 'keepClosedMs'
    | 'limits'
  > {
  readonly kind: 'host';
  readonly data: string;
  readonly exposure?: ExposureOptions | undefined;
  /** Address of the container engine, or of a manager of a swarm, in place of `DOCKER_HOST`. */
  readonly engine?: string | undefined;
  /** Stops the host after the last console has disconnected. */
  readonly leased?: boolean | undefined;
  /** Milliseconds to wait for another console before stopping. */
  readonly leaseGraceMs?: number | undefined;
  readonly version: string;
}

/** A `hostdeck host …` command with its flags parsed. */
export type HostCommand =
  | ServeCommand
  | ({ readonly kind: 'backup' } & BackupCommand)
  | ({ readonly kind: 'restore' } & RestoreCommand)
  | { readonly kind: 'token'; readonly data: string; readonly wallet: string }
  | {
      readonly kind: 'wallet';
      readonly data: string;
      readonly wallet: string;
      readonly balance?: string | undefined;
    };

/** Keeps the host running while a console is restarted. */
const defaultLeaseGraceMs = 5000;

const firstLeaseMs = 30_000;

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs the command. Resolves with the exit code: 0, 1 for an error, 2 for wrong usage. */
export async function runHostCommand(command: HostCommand, output: HostOutput): Promise<number> {
  try {
    return await run(command, output);
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) {
      output.printNote(error.message);
      return 2;
    }
    output.printNote(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function run(command: HostCommand, output: HostOutput): Promise<number> {
  switch (command.kind) {
    case 'host':
      return await serve(command, output);
    case 'backup':
      return await runBackup(command, output, (identity) => volumeSourceOf(identity, process.env));
    case 'restore':
      return await runRestore(command, output);
    case 'token':
      output.print(await issueToken(command.data, command.wallet));
      return 0;
    case 'wallet':
      output.print(await walletBalance(command.data, command.wallet, command.balance));
      return 0;
  }
}

/** Runs a host until a signal arrives or its last lease ends. Resolves with the exit code. */
async function serve(command: ServeCommand, output: HostOutput): Promise<number> {
  const ended = Promise.withResolvers<string>();
  const onSignal = (name: NodeJS.Signals) => {
    ended.resolve(name);
  };
  for (const name of signals) process.on(name, onSignal);
  // Ignore errors of a closed terminal or pipe: the services must still be stopped.
  const outputs = [process.stdout, process.stderr];
  for (const stream of outputs) stream.on('error', ignoreError);
  try {
    let exitCode = 0;
    const host = await start(command, output, {
      onUnused: () => {
        ended.resolve('the last console disconnected');
      },
      onLost: (reason) => {
        exitCode = 1;
        ended.resolve(reason);
      },
    });
    if (host === undefined) return 0;
    output.printNote(`hostdeck host on ${host.baseUrl}`);
    for (const sentence of [...host.isolation, ...host.notices]) output.printNote(sentence);
    noteExposure(host, output);
    output.printNote(`Your wallet: ${host.wallet}`);
    output.printNote(`Create a token: hostdeck host token --data ${command.data} --wallet ADDRESS`);
    const next = command.runtime === 'swarm' ? 'go on without it' : 'resume at the next start';
    output.printNote(`Stopping (${await ended.promise}). Deployments ${next}.`);
    await host.close();
    return exitCode;
  } finally {
    for (const name of signals) process.off(name, onSignal);
    for (const stream of outputs) stream.off('error', ignoreError);
  }
}

function ignoreError() {}

function noteExposure({ exposedUrl }: Host, output: HostOutput) {
  if (exposedUrl === undefined) return;
  output.printNote(`Other machines reach it at ${exposedUrl}`);
  output.printNote('Anyone with a token can run programs on this machine.');
  if (exposedUrl.startsWith('https:')) return;
  output.printNote(
    'Without TLS, tokens and files are sent unencrypted. Use trusted networks only.',
  );
}

/** Resolves with undefined when another console has already started the leased host. */
async function start(
  command: ServeCommand,
  output: HostOutput,
  { onUnused, onLost }: { onUnused: () => void; onLost: (reason: string) => void },
): Promise<Host | undefined> {
  let lastMessage = '';
  const { kind: _, data, exposure, engine, leased, leaseGraceMs, ...options } = command;
  const { env } = process;
  try {
    return await startHost({
      ...options,
      dataDir: data,
      exposure: exposure && { ...exposure, tls: exposure.tls && loadTlsCertificate(exposure.tls) },
      engineEnvironment: engine === undefined ? env : { ...env, DOCKER_HOST: engine },
      onLost,
      lease: leased
        ? {
            graceMs: leaseGraceMs ?? defaultLeaseGraceMs,
            firstLeaseTimeoutMs: firstLeaseMs,
            onUnused,
          }
        : undefined,
      onFailure: (error) => {
        const message = `Error: ${error instanceof Error ? error.message : String(error)}`;
        // A full disk causes the same error every second; report it once.
        if (message !== lastMessage) output.printNote(message);
        lastMessage = message;
      },
    });
  } catch (error) {
    if (leased !== true) throw error;
    if (error instanceof StartFailure && error.code === 'locked') return undefined;
    const message = error instanceof Error ? error.message : String(error);
    const failure =
      error instanceof StartFailure
        ? error
        : new StartFailure('internal', `The host did not start: ${message}.`, 'Try again.');
    writeFailureNote(data, failure);
    throw error;
  }
}
