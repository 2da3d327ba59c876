import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { formatDecimal } from '../../contract/decimal.ts';
import { logRestore } from '../backup/backup-format.ts';
import { removeUnfinishedBackup, writeBackup } from '../backup/write-backup.ts';
import { ControlServer, type LeaseOptions } from '../control/control.ts';
import { controlSocketPath } from '../control/control-path.ts';
import { loadHostIdentity } from '../records/identity.ts';
import {
  defaultMachineFolder,
  openIsolation,
  type SandboxChoice,
} from '../isolation/open-isolation.ts';
import { type ListenAddresses, startListeners } from './listen.ts';
import {
  type EngineEnvironment,
  findEngineEndpoints,
  isUnguarded,
} from '../engine/engine-place.ts';
import { parseBalance, parseWalletAddress } from '../money/wallets.ts';
import { WalletTrust } from '../isolation/wallet-trust.ts';
import { createSample, migrateSample } from '../sample/sample.ts';
import { beginAnew, openStorageWhenFree } from '../records/open-when-free.ts';
import { isDamaged } from '../records/damage.ts';
import { describeSetAside, setAsideRecords } from '../records/set-aside.ts';
import { buildParts, type ServiceOptions } from '../service.ts';
import { isDiskFull } from '../disk-space.ts';
import { StartFailure, unusableDataFolder } from '../start-failure.ts';
import type { Storage } from '../records/storage.ts';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Tokens } from '../records/tokens.ts';

export interface HostOptions extends ListenAddresses, ServiceOptions {
  /** Selects whether processes run in sandboxes; by default where sandboxes work. */
  readonly sandbox?: SandboxChoice | undefined;
  /** Runs the deployments of every wallet even when nothing isolates them from the host. */
  readonly trustWallets?: boolean | undefined;
  /** The folder in which hosts that run as root allocate user ids of this machine. */
  readonly machineFolder?: string | undefined;
  /** When false, the first start creates no sample deployment and no sample grants. */
  readonly sample?: boolean | undefined;
  /** Set for a host that stops after its last lease ends. */
  readonly lease?: LeaseOptions | undefined;
}

/** A host running in this process. */
export interface Host {
  /** URL on loopback. */
  readonly baseUrl: string;
  /** URL for other machines. */
  readonly exposedUrl?: string | undefined;
  /** Sentences about the data folder that its owner should know. */
  readonly notices: readonly string[];
  /** Sentences that describe how services are isolated from the host and from each other. */
  readonly isolation: readonly string[];
  /** The wallet of this machine's user. */
  readonly wallet: string;
  /** A token for `wallet`. */
  readonly token: string;
  /** Creates a token for any wallet. */
  issueToken(wallet: string): string;
  /** Returns the balance of a wallet as decimal text, after setting it when `balance` is given. */
  balance(wallet: string, balance?: string): string;
  /** Stops all services and the host. The next host on this folder starts them again. */
  close(): Promise<void>;
}

/**
 * Starts a host on a data folder and resumes its deployments. Throws a `StartFailure` when another
 * host uses the folder, the folder is unusable, or the port is in use.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const cleanups: Cleanup[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= runCleanups(cleanups);
    return closing;
  };
  try {
    const storage = await openStorageWhenFree(options.dataDir);
    cleanups.push(() => {
      storage.close();
    });
    return await assemble(options, storage, cleanups, close);
  } catch (error) {
    await close();
    if (isDamaged(error)) {
      throw beginAnew(options.dataDir, setAsideRecords(options.dataDir, error));
    }
    throw isDiskFull(error) ? unusableDataFolder(options.dataDir, error) : error;
  }
}

/** One step of an orderly shutdown; steps run in reverse order of their registration. */
type Cleanup = () => Promise<void> | void;

/** Runs every step even when one fails, then throws the first error. */
async function runCleanups(cleanups: Cleanup[]): Promise<void> {
  const errors: unknown[] = [];
  for (let step = cleanups.pop(); step !== undefined; step = cleanups.pop()) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Describes an engine that accepts unauthenticated commands, and so gives services root rights. */
function engineWeakness(env: EngineEnvironment): string | undefined {
  const places = findEngineEndpoints(env);
  const unguarded = 'failure' in places ? undefined : places.find(isUnguarded);
  if (unguarded === undefined) return undefined;
  return `The container engine on ${unguarded.address} accepts commands from anyone who can reach it.`;
}

function unsafeExposure({ ways }: WalletTrust): StartFailure {
  return new StartFailure(
    'no-isolation',
    '--listen would let other machines run services that are not isolated from this host.',
    ways,
  );
}

async function assemble(
  options: HostOptions,
  storage: Storage,
  cleanups: Cleanup[],
  close: () => Promise<void>,
): Promise<Host> {
  const { dataDir, sandbox = 'auto', machineFolder = defaultMachineFolder } = options;
  const { runtime: runtimeName = 'process', trustWallets = false } = options;
  const runsProcesses = runtimeName === 'process' || runtimeName === 'auto';
  await removeUnfinishedBackup(realpathSync(dataDir));
  const identity = loadHostIdentity(storage, dataDir);
  const { isolation, notes } = await openIsolation({
    dataDir,
    storage,
    identity,
    choice: sandbox,
    runsProcesses,
    weakness: engineWeakness(options.engineEnvironment ?? process.env),
    machineFolder,
  });
  const wallet = loadLocalWallet(storage);
  const trust = new WalletTrust({
    isolation,
    runtime: runtimeName,
    ownWallet: wallet,
    trustWallets,
  });
  if (options.exposure !== undefined && !trust.isSafe) throw unsafeExposure(trust);
  const foundation = { storage, identity, isolation, trust, wallet };
  const { service, wallets, metering, retention, runtime, volumes, volumeUse } = await buildParts(
    options,
    foundation,
    (step) => cleanups.push(step),
  );
  const { clock, supervisor, logs, grants, space, tokens, version, onFailure } = service;
  const token = loadLocalToken(dataDir, wallet, tokens);
  // Recover before listening, so that no request sees a partly recovered state.
  await supervisor.recover();
  migrateSample(service.deployments, supervisor);
  const listenings = await startListeners(service, options);
  for (const listening of listenings) cleanups.push(() => listening.close());
  const [{ baseUrl }, exposed] = listenings;

  cleanups.push(async () => {
    // Nothing may resume while the services stop.
    metering.pause();
    await supervisor.shutDown();
    await logs.flush();
  });
  logRestore(storage, service.deployments, logs);
  supervisor.resumeAll();
  if (options.sample !== false) {
    const { deployments } = service;
    await createSample({ storage, clock, deployments, supervisor, grants, space, wallet });
  }
  metering.start();
  cleanups.push(grants.watch(onFailure));
  cleanups.push(space.watch(clock, (sentence) => onFailure(new Error(sentence))));
  retention.start();
  cleanups.push(() => retention.stop());
  volumeUse.start();
  cleanups.push(() => volumeUse.stop());

  const setAside = describeSetAside(dataDir);
  const host: Host = {
    baseUrl,
    notices: setAside === undefined ? [] : [setAside],
    isolation: [
      ...(runsProcesses ? [isolation.describe()] : []),
      ...notes,
      ...(trust.note === undefined ? [] : [trust.note]),
    ],
    exposedUrl: exposed?.baseUrl,
    wallet,
    token,
    issueToken: (address) => tokens.issue(parseWalletAddress(address, 'wallet')),
    balance(address, balance) {
      const owner = parseWalletAddress(address, 'wallet');
      if (balance !== undefined) wallets.setBalance(owner, parseBalance(balance));
      return formatDecimal(wallets.getBalance(owner));
    },
    close,
  };
  // A backup that the end of the control socket cancels still reads the parts below.
  cleanups.push(() => service.files.snapshots.holdEnded());
  const control = await ControlServer.listen(
    controlSocketPath(dataDir),
    {
      backup: (hasVolumes) =>
        writeBackup({
          dataDir: realpathSync(dataDir),
          version,
          snapshots: service.files.snapshots,
          copyRecords: (file) => storage.copyTo(file),
          copyLogs: (file) => logs.copyTo(file),
          volumes: hasVolumes
            ? { folderOf: (id) => volumes.existing(id), engine: runtime.volumeSource }
            : undefined,
        }),
      hello: () => ({
        baseUrl,
        token,
        wallet,
        pid: process.pid,
        version,
        workloads: runtime.workloads,
      }),
      token: (address) => host.issueToken(address),
      wallet: (address, balance) => host.balance(address, balance),
    },
    options.lease,
  );
  cleanups.push(() => control.close());
  return host;
}

/** Returns the wallet of this machine's user, creating it at the first start. */
function loadLocalWallet(storage: Storage): string {
  const stored = storage.readMeta('wallet');
  if (stored !== undefined) return stored;
  const wallet = `0x${randomBytes(20).toString('hex')}`;
  storage.writeMeta('wallet', wallet);
  return wallet;
}

/**
 * Returns the token of the local wallet, creating it if necessary. A file keeps the token across
 * restarts, since the storage has only its hash; an open console continues after a restart.
 */
function loadLocalToken(dataDir: string, wallet: string, tokens: Tokens): string {
  const file = path.join(dataDir, 'local-token');
  const stored = readIfExists(file);
  if (stored !== undefined && tokens.walletOf(stored) === wallet) return stored;
  const token = tokens.issue(wallet);
  const temporary = `${file}.new`;
  // The mode applies only to a new file.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, token, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
  return token;
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
