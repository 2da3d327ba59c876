import { formatDecimal } from '../../contract/decimal.ts';
import { type HostClock, systemClock } from '../clock.ts';
import { Control, type LeaseOptions } from '../control/control.ts';
import { controlPath } from '../control/control-path.ts';
import { Deployments } from '../deployments.ts';
import { Files } from '../files/files.ts';
import { Grants } from '../grants.ts';
import { hostIdentity } from '../records/identity.ts';
import type { Isolation } from '../isolation/isolation.ts';
import { openIsolation } from '../isolation/open-isolation.ts';
import type { SandboxChoice } from '../isolation/sandbox-choice.ts';
import { defaultHostLimits, type HostLimits } from './limits.ts';
import { listenEverywhere, type Places } from './listen-everywhere.ts';
import { localToken, localWallet } from '../local-wallet.ts';
import { type EngineEnvironment, enginePlaces, isUnguarded } from '../engine/engine-place.ts';
import { openLogs } from '../logs/open-logs.ts';
import { Metering } from '../money/metering.ts';
import { readBalance, Wallets, walletAddress } from '../money/wallets.ts';
import { makeRuntime, type RuntimeOptions } from '../make-runtime.ts';
import { WalletTrust } from '../isolation/wallet-trust.ts';
import type { ChosenRuntime } from '../runtime/choice.ts';
import { makeSample, renewSample } from '../sample/sample.ts';
import { openWhenFree } from '../records/open-when-free.ts';
import type { HostService } from '../service.ts';
import { StartFailure } from '../start-failure.ts';
import type { Storage } from '../records/storage.ts';
import { StreamPlaces } from './stream-places.ts';
import { Supervisor } from '../supervisor/supervisor.ts';
import { Tokens } from '../records/tokens.ts';
import { WrongTokens } from './wrong-tokens.ts';

export interface HostOptions extends Places, RuntimeOptions {
  readonly dataDir: string;
  /** Whether processes run in sandboxes: where they work, unless told otherwise. */
  readonly sandbox?: SandboxChoice | undefined;
  /** Runs the deployments of every wallet, though nothing keeps them from the host. */
  readonly trustWallets?: boolean | undefined;
  /** The folder in which the hosts of this machine share out user ids, as root. */
  readonly machineFolder?: string | undefined;
  readonly version?: string | undefined;
  /** False: the first start makes no sample deployment and no sample grants. */
  readonly sample?: boolean | undefined;
  /** Time services get to end by themselves. */
  readonly graceMs?: number | undefined;
  readonly limits?: Partial<HostLimits> | undefined;
  readonly clock?: HostClock | undefined;
  /** Set for a host that lives as long as someone uses it. */
  readonly lease?: LeaseOptions | undefined;
  /** Takes the host's own failures, which no caller is told more of than that there was one. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** A host that runs in this process. */
export interface Host {
  /** On loopback. */
  readonly baseUrl: string;
  /** For other machines. */
  readonly exposedUrl?: string | undefined;
  /** The isolation of services from the host and from each other, as sentences. */
  readonly isolation: readonly string[];
  /** The wallet of the person at this machine, and a token for it. */
  readonly wallet: string;
  readonly token: string;
  /** Makes a token for any wallet. */
  issueToken(wallet: string): string;
  /** Balance of a wallet as decimal text, after setting it when one is given. */
  balance(wallet: string, balance?: string): string;
  /** Ends all processes and the host. They come back with the next host on this folder. */
  close(): Promise<void>;
}

const defaultGraceMs = 10_000;

const sharedFolder = '/var/lib/hostdeck';

/**
 * Starts a host on a data folder and brings its deployments back. Throws a `StartFailure`:
 * another host runs there, the folder cannot be used, or the port is taken.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const cleanups: Cleanup[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= takeAll(cleanups);
    return closing;
  };
  try {
    const storage = await openWhenFree(options.dataDir);
    cleanups.push(() => {
      storage.close();
    });
    return await assemble(options, storage, cleanups, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** One step of an orderly end; the last one that was added is taken first. */
type Cleanup = () => Promise<void> | void;

/** Takes every step, also when one fails, and then throws what the first failure was. */
async function takeAll(cleanups: Cleanup[]): Promise<void> {
  const failures: unknown[] = [];
  for (let step = cleanups.pop(); step !== undefined; step = cleanups.pop()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The parts that everything else of a host stands on. */
interface Ground {
  readonly storage: Storage;
  readonly identity: string;
  readonly isolation: Isolation;
  readonly trust: WalletTrust;
}

/** What the routes of a host work with, and what else it needs to go. */
interface Machinery {
  readonly service: HostService;
  readonly wallets: Wallets;
  readonly metering: Metering;
  readonly runtime: ChosenRuntime;
}

/** Makes all that a host is of, none of which goes yet. */
async function makeMachinery(
  options: HostOptions,
  { storage, identity, isolation, trust }: Ground,
  cleanups: Cleanup[],
): Promise<Machinery> {
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
  const runtime = makeRuntime(options, { storage, identity, isolation });
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
    wrongTokens: new WrongTokens(clock, limits.wrongTokens),
    streamPlaces: new StreamPlaces(limits.streamsPerWallet),
    deployments,
    supervisor,
    files,
    logs,
    grants,
    onFailure,
  };
  return { service, wallets, metering, runtime };
}

/** An engine that asks nobody who they are does as root whatever a service tells it. */
function engineWeakness(env: EngineEnvironment): string | undefined {
  const places = enginePlaces(env);
  const unguarded = 'failure' in places ? undefined : places.find(isUnguarded);
  if (unguarded === undefined) return undefined;
  return `The container engine on ${unguarded.address} takes commands from everyone who reaches it.`;
}

function unsafeExposure({ ways }: WalletTrust): StartFailure {
  return new StartFailure(
    'no-isolation',
    '--listen: other machines would reach a host from which nothing keeps services.',
    ways,
  );
}

async function assemble(
  options: HostOptions,
  storage: Storage,
  cleanups: Cleanup[],
  close: () => Promise<void>,
): Promise<Host> {
  const { dataDir, sandbox = 'auto', machineFolder = sharedFolder } = options;
  const { runtime: runtimeName = 'process', trustWallets = false } = options;
  const identity = hostIdentity(storage, dataDir);
  const { isolation, notes } = await openIsolation({
    dataDir,
    storage,
    identity,
    choice: sandbox,
    runsProcesses: runtimeName !== 'container',
    weakness: engineWeakness(options.engineEnvironment ?? process.env),
    machineFolder,
  });
  const wallet = localWallet(storage);
  const trust = new WalletTrust({
    isolation,
    runtime: runtimeName,
    ownWallet: wallet,
    trustWallets,
  });
  if (options.exposure !== undefined && !trust.isSafe) throw unsafeExposure(trust);
  const ground = { storage, identity, isolation, trust };
  const { service, wallets, metering, runtime } = await makeMachinery(options, ground, cleanups);
  const { clock, supervisor, logs, grants, tokens, version } = service;
  const token = localToken(dataDir, wallet, tokens);
  // Before anyone is served: a request finds everything as it was, or is not taken yet.
  await supervisor.recover();
  renewSample(service.deployments, supervisor);
  const listenings = await listenEverywhere(service, options);
  for (const listening of listenings) cleanups.push(() => listening.close());
  const [{ baseUrl }, exposed] = listenings;

  cleanups.push(async () => {
    await supervisor.stopAll();
    await logs.settled();
  });
  supervisor.resumeAll();
  if (options.sample !== false) {
    await makeSample({ storage, clock, supervisor, grants, wallet });
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
    issueToken: (address) => tokens.issue(walletAddress(address, 'wallet')),
    balance(address, balance) {
      const owner = walletAddress(address, 'wallet');
      if (balance !== undefined) wallets.setBalance(owner, readBalance(balance));
      return formatDecimal(wallets.balance(owner));
    },
    close,
  };
  const control = await Control.listen(
    controlPath(dataDir),
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
