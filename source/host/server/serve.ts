import { formatDecimal } from '../../contract/decimal.ts';
import { type HostClock, systemClock } from '../clock.ts';
import { ControlServer, type LeaseOptions } from '../control/control.ts';
import { controlSocketPath } from '../control/control-path.ts';
import { Deployments } from '../deployments.ts';
import { Files } from '../files/files.ts';
import { Grants } from '../grants.ts';
import { loadHostIdentity } from '../records/identity.ts';
import type { Isolation } from '../isolation/isolation.ts';
import { openIsolation } from '../isolation/open-isolation.ts';
import type { SandboxChoice } from '../isolation/sandbox-choice.ts';
import { defaultHostLimits, type HostLimits } from './limits.ts';
import { startListeners, type ListenAddresses } from './listen.ts';
import { loadLocalToken, loadLocalWallet } from '../local-wallet.ts';
import {
  type EngineEnvironment,
  findEngineEndpoints,
  isUnguarded,
} from '../engine/engine-place.ts';
import { openLogs } from '../logs/open-logs.ts';
import { Metering } from '../money/metering.ts';
import { parseBalance, Wallets, parseWalletAddress } from '../money/wallets.ts';
import { createRuntime, type RuntimeOptions } from '../make-runtime.ts';
import { WalletTrust } from '../isolation/wallet-trust.ts';
import type { SelectingRuntime } from '../runtime/choice.ts';
import { createSample, migrateSample } from '../sample/sample.ts';
import { openStorageWhenFree } from '../records/open-when-free.ts';
import type { HostService } from '../service.ts';
import { StartFailure } from '../start-failure.ts';
import type { Storage } from '../records/storage.ts';
import { StreamLimiter } from './stream-places.ts';
import { Supervisor } from '../supervisor/supervisor.ts';
import { Tokens } from '../records/tokens.ts';
import { WrongTokenLimiter } from './wrong-tokens.ts';

export interface HostOptions extends ListenAddresses, RuntimeOptions {
  readonly dataDir: string;
  /** Selects whether processes run in sandboxes; by default where sandboxes work. */
  readonly sandbox?: SandboxChoice | undefined;
  /** Runs the deployments of every wallet even when nothing isolates them from the host. */
  readonly trustWallets?: boolean | undefined;
  /** The folder in which hosts that run as root allocate user ids of this machine. */
  readonly machineFolder?: string | undefined;
  readonly version?: string | undefined;
  /** When false, the first start creates no sample deployment and no sample grants. */
  readonly sample?: boolean | undefined;
  /** Milliseconds between SIGTERM and SIGKILL for services. */
  readonly graceMs?: number | undefined;
  readonly limits?: Partial<HostLimits> | undefined;
  readonly clock?: HostClock | undefined;
  /** Set for a host that stops after its last lease ends. */
  readonly lease?: LeaseOptions | undefined;
  /** Reports internal errors, whose details callers do not receive. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** A host running in this process. */
export interface Host {
  /** URL on loopback. */
  readonly baseUrl: string;
  /** URL for other machines. */
  readonly exposedUrl?: string | undefined;
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

const defaultGraceMs = 10_000;

const defaultMachineFolder = '/var/lib/hostdeck';

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
    throw error;
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

/** The parts that all others depend on. */
interface Foundation {
  readonly storage: Storage;
  readonly identity: string;
  readonly isolation: Isolation;
  readonly trust: WalletTrust;
}

/** The dependencies of the routes, and the parts that only the start-up needs. */
interface HostParts {
  readonly service: HostService;
  readonly wallets: Wallets;
  readonly metering: Metering;
  readonly runtime: SelectingRuntime;
}

/** Builds all parts of a host without starting any. */
async function buildParts(
  options: HostOptions,
  { storage, identity, isolation, trust }: Foundation,
  cleanups: Cleanup[],
): Promise<HostParts> {
  const { dataDir, graceMs = defaultGraceMs, clock = systemClock, version = '' } = options;
  const onFailure = options.onFailure ?? (() => undefined);
  const limits = { ...defaultHostLimits, ...options.limits };
  const tokens = new Tokens(storage, clock);
  const wallets = new Wallets(storage);
  const grants = new Grants(storage, clock);
  const deployments = new Deployments(storage, clock);
  const assertOpen = (id: string) => {
    deployments.assertOpen(id);
  };
  const files = new Files(dataDir, assertOpen, isolation.outsideRuns);
  const logs = await openLogs({ dataDir, storage, clock, limits, onFailure });
  cleanups.push(() => logs.close());
  const metering = new Metering({
    storage,
    clock,
    deployments,
    grants,
    wallets,
    events: {
      onUnpaid: (id) => {
        supervisor.suspend(id);
      },
      onAffordable: (id) => {
        supervisor.resume(id);
      },
      onFailure,
    },
  });
  const runtime = createRuntime(options, { storage, identity, isolation });
  const supervisor = new Supervisor({
    clock,
    deployments,
    files,
    logs,
    metering,
    runtime,
    trust,
    limits,
    graceMs,
  });
  const service = {
    clock,
    limits,
    version,
    tokens,
    wrongTokenLimiter: new WrongTokenLimiter(clock, limits.wrongTokensPerMinute),
    streamLimiter: new StreamLimiter(limits.streamsPerWallet),
    deployments,
    supervisor,
    files,
    logs,
    grants,
    onFailure,
  };
  return { service, wallets, metering, runtime };
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
  const identity = loadHostIdentity(storage, dataDir);
  const { isolation, notes } = await openIsolation({
    dataDir,
    storage,
    identity,
    choice: sandbox,
    runsProcesses: runtimeName !== 'container',
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
  const foundation = { storage, identity, isolation, trust };
  const { service, wallets, metering, runtime } = await buildParts(options, foundation, cleanups);
  const { clock, supervisor, logs, grants, tokens, version } = service;
  const token = loadLocalToken(dataDir, wallet, tokens);
  // Recover before listening, so that no request sees a partly recovered state.
  await supervisor.recover();
  migrateSample(service.deployments, supervisor);
  const listenings = await startListeners(service, options);
  for (const listening of listenings) cleanups.push(() => listening.close());
  const [{ baseUrl }, exposed] = listenings;

  cleanups.push(async () => {
    await supervisor.stopAll();
    await logs.flush();
  });
  supervisor.resumeAll();
  if (options.sample !== false) {
    await createSample({ storage, clock, supervisor, grants, wallet });
  }
  metering.start();
  cleanups.push(() => {
    metering.stop();
  });

  const host: Host = {
    baseUrl,
    isolation: [
      ...(runtimeName === 'container' ? [] : [isolation.describe()]),
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
  const control = await ControlServer.listen(
    controlSocketPath(dataDir),
    {
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
