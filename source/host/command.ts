import { issueToken, walletBalance } from './administration.ts';
import { type Exposure, readTls, type TlsFiles } from './server/exposure.ts';
import { noteFailure } from './failure-note.ts';
import { type Host, startHost } from './server/serve.ts';
import { Refusal } from './refusal.ts';
import type { SandboxChoice } from './isolation/sandbox-choice.ts';
import type { RuntimeName } from './runtime/names.ts';
import { StartFailure } from './start-failure.ts';

/** Where other machines shall get to the host; in the clear without the files of a certificate. */
export interface WantedExposure {
  readonly address: string;
  readonly port?: number | undefined;
  readonly tls?: TlsFiles | undefined;
}

/** What `hostdeck host …` was asked for, flags already read. */
export type HostCommand =
  | {
      readonly action: 'serve';
      readonly data: string;
      /** On loopback. */
      readonly address?: string | undefined;
      readonly port?: number | undefined;
      readonly exposure?: WantedExposure | undefined;
      readonly names?: readonly string[] | undefined;
      /** What services run as. */
      readonly runtime?: RuntimeName | undefined;
      /** Whether processes run in sandboxes. */
      readonly sandbox?: SandboxChoice | undefined;
      /** Runs the deployments of every wallet also without isolation. */
      readonly trustWallets?: boolean | undefined;
      /** Ends by itself when the last console has left. */
      readonly leased?: boolean | undefined;
      /** How long it waits for the next console after that. */
      readonly leaseGraceMs?: number | undefined;
      readonly version: string;
    }
  | { readonly action: 'token'; readonly data: string; readonly wallet?: string | undefined }
  | {
      readonly action: 'wallet';
      readonly data: string;
      readonly wallet?: string | undefined;
      readonly balance?: string | undefined;
    };

export interface HostOutput {
  /** A line of the answer, for stdout. */
  out(line: string): void;
  /** A line about what goes on, for stderr. */
  note(line: string): void;
}

type ServeCommand = Extract<HostCommand, { action: 'serve' }>;

/** A console that is started again at once finds its host still there. */
const usualLeaseGraceMs = 5000;

const firstLeaseMs = 30_000;

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs the command and gives its exit code: 0, 1 for an error, 2 for wrong usage. */
export async function runHostCommand(command: HostCommand, output: HostOutput): Promise<number> {
  try {
    return await run(command, output);
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) {
      output.note(error.message);
      return 2;
    }
    output.note(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function run(command: HostCommand, output: HostOutput): Promise<number> {
  if (command.action === 'serve') return await serve(command, output);
  if (command.wallet === undefined) {
    output.note(
      command.action === 'token'
        ? 'Whose? hostdeck host token --wallet ADDRESS'
        : 'Whose? hostdeck host wallet ADDRESS [--balance AMOUNT]',
    );
    return 2;
  }
  output.out(
    command.action === 'token'
      ? await issueToken(command.data, command.wallet)
      : await walletBalance(command.data, command.wallet, command.balance),
  );
  return 0;
}

/** Settles when the host has ended: by a signal, or unused when it is leased. */
async function serve(command: ServeCommand, output: HostOutput): Promise<number> {
  const ended = Promise.withResolvers<string>();
  const onSignal = (name: NodeJS.Signals) => {
    ended.resolve(name);
  };
  for (const name of signals) process.on(name, onSignal);
  // A terminal or a pipe that is gone takes no notes, but the services are to be ended all the same.
  const outputs = [process.stdout, process.stderr];
  for (const stream of outputs) stream.on('error', ignoreError);
  try {
    const host = await start(command, output, () => {
      ended.resolve('the last console left');
    });
    if (host === undefined) return 0;
    output.note(`hostdeck host on ${host.baseUrl}`);
    for (const sentence of host.isolation) output.note(sentence);
    noteExposure(host, output);
    output.note(`Your wallet: ${host.wallet}`);
    output.note(`Token of a wallet: hostdeck host token --data ${command.data} --wallet ADDRESS`);
    output.note(`Ending (${await ended.promise}). Deployments come back with the next start.`);
    await host.close();
    return 0;
  } finally {
    for (const name of signals) process.off(name, onSignal);
    for (const stream of outputs) stream.off('error', ignoreError);
  }
}

function ignoreError() {}

function noteExposure({ exposedUrl }: Host, output: HostOutput) {
  if (exposedUrl === undefined) return;
  output.note(`Other machines get to it on ${exposedUrl}`);
  output.note('Whoever has a token runs programs here.');
  if (exposedUrl.startsWith('https:')) return;
  output.note('Without TLS tokens and files pass in the clear: for networks that are trusted.');
}

/** Undefined when a leased host is not needed, as another console's was faster. */
async function start(
  command: ServeCommand,
  output: HostOutput,
  onUnused: () => void,
): Promise<Host | undefined> {
  let noted = '';
  const { data, address, port, names, runtime, sandbox, trustWallets, version } = command;
  const { leased, leaseGraceMs = usualLeaseGraceMs } = command;
  try {
    return await startHost({
      dataDir: data,
      address,
      port,
      exposure: exposureOf(command),
      names,
      runtime,
      sandbox,
      trustWallets,
      version,
      lease: leased ? { graceMs: leaseGraceMs, firstMs: firstLeaseMs, onUnused } : undefined,
      onFailure: (error) => {
        const said = `Failure: ${error instanceof Error ? error.message : String(error)}`;
        // A full disk fails again each second.
        if (said !== noted) output.note(said);
        noted = said;
      },
    });
  } catch (error) {
    if (leased !== true) throw error;
    if (error instanceof StartFailure && error.code === 'locked') return undefined;
    const said = error instanceof Error ? error.message : String(error);
    const failure =
      error instanceof StartFailure
        ? error
        : new StartFailure('internal', `The host did not start: ${said}.`, 'Try again.');
    noteFailure(data, failure);
    throw error;
  }
}

function exposureOf({ exposure }: ServeCommand): Exposure | undefined {
  if (exposure === undefined) return undefined;
  const { address, port, tls } = exposure;
  return { address, port, tls: tls === undefined ? undefined : readTls(tls) };
}
