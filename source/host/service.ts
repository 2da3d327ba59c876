/** The parts of a host, and which of them the routes use. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type HostClock, readBootId, systemClock } from './clock.ts';
import { ClosedDeployments } from './closed-deployments.ts';
import { ClosedRetention } from './closed-retention.ts';
import { Deployments } from './deployments.ts';
import { DiskSpace } from './disk-space.ts';
import { Files } from './files/files.ts';
import { Grants } from './grants.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { WalletTrust } from './isolation/wallet-trust.ts';
import type { HostLogs } from './logs/logs.ts';
import { openLogs } from './logs/open-logs.ts';
import { createRuntime, type RuntimeOptions } from './make-runtime.ts';
import { Billing } from './money/billing.ts';
import { ChargedRuns } from './money/charged-runs.ts';
import { Metering } from './money/metering.ts';
import { Wallets } from './money/wallets.ts';
import type { Storage } from './records/storage.ts';
import { Tokens } from './records/tokens.ts';
import type { SelectingRuntime } from './runtime/choice.ts';
import { hasEngineVolumes } from './runtime/container-volumes.ts';
import { readFirstUserPort } from './runtime/ports.ts';
import { AnswerLimiter, StreamLimiter, WrongTokenLimiter } from './server/caller-limits.ts';
import { defaultHostLimits, type HostLimits } from './server/limits.ts';
import { ExceededVolumes } from './local/exceeded-volumes.ts';
import { Supervisor } from './supervisor/supervisor.ts';
import { measureFolder, VolumeUse } from './volumes/volume-use.ts';
import { VolumeFolders } from './volumes/volume-folders.ts';
import { ClusterBackend, type ClusterBackendParts } from './cluster/cluster-backend.ts';
import { ClusterRules } from './cluster/cluster-rules.ts';
import { VolumeNodes } from './cluster/volumes/volume-nodes.ts';
import { LocalBackend, type LocalBackendParts } from './local/local-backend.ts';
import type { ServiceRules } from './runtime/runtime.ts';
import type { Backend } from './supervisor/backend.ts';

/** The dependencies of the routes. */
export interface HostService {
  readonly clock: HostClock;
  readonly limits: HostLimits;
  /** Version of the program. */
  readonly version: string;
  readonly tokens: Tokens;
  readonly wrongTokenLimiter: WrongTokenLimiter;
  readonly streamLimiter: StreamLimiter;
  readonly answerLimiter: AnswerLimiter;
  readonly deployments: Deployments;
  readonly supervisor: Supervisor;
  readonly files: Files;
  readonly logs: HostLogs;
  readonly grants: Grants;
  readonly space: DiskSpace;
  /** Reports an internal error of the host. */
  readonly onFailure: (error: unknown) => void;
}

/** Options of the parts of a host. */
export interface ServiceOptions extends BackendOptions {
  readonly dataDir: string;
  readonly version?: string | undefined;
  /** Milliseconds between SIGTERM and SIGKILL for services. */
  readonly graceMs?: number | undefined;
  /** Milliseconds for which files and logs of closed deployments are kept; a week by default. */
  readonly keepClosedMs?: number | undefined;
  readonly limits?: Partial<HostLimits> | undefined;
  /** The first port that services may have; by default what the system lets users have. */
  readonly firstUserPort?: number | undefined;
  readonly clock?: HostClock | undefined;
  /** Reports internal errors, whose details callers do not receive. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

const defaultGraceMs = 10_000;

const defaultKeepClosedMs = 7 * 24 * 60 * 60 * 1000;

/** The parts that all others depend on. */
export interface Foundation {
  readonly storage: Storage;
  readonly identity: string;
  readonly isolation: Isolation;
  readonly trust: WalletTrust;
  /** The wallet of this host's user. */
  readonly wallet: string;
}

/** The dependencies of the routes, and the parts that only the start-up needs. */
export interface HostParts {
  readonly service: HostService;
  readonly wallets: Wallets;
  readonly metering: Metering;
  readonly retention: ClosedRetention;
  readonly runtime: SelectingRuntime;
  readonly volumes: VolumeFolders;
  readonly volumeUse: VolumeUse;
}

/** Builds all parts of a host without starting any. */
export async function buildParts(
  options: ServiceOptions,
  { storage, identity, isolation, trust, wallet: ownWallet }: Foundation,
  atClose: (step: () => Promise<void> | void) => void,
): Promise<HostParts> {
  const { dataDir, graceMs = defaultGraceMs, clock = systemClock, version = '' } = options;
  const { keepClosedMs = defaultKeepClosedMs } = options;
  const onFailure = options.onFailure ?? (() => undefined);
  const limits = { ...defaultHostLimits, ...options.limits };
  const tokens = new Tokens(storage, clock);
  const wallets = new Wallets(storage);
  const grants = new Grants(storage, clock);
  const deployments = new Deployments(storage, clock);
  const closed = new ClosedDeployments(storage);
  const assertOpen = (id: string) => {
    deployments.assertOpen(id);
  };
  const { outsideRuns, outsideVolumes } = isolation;
  const outside = [outsideRuns, outsideVolumes].filter((each) => each?.isUsed === true);
  const folders = [dataDir, ...outside.flatMap((each) => each?.folder ?? [])];
  const space = new DiskSpace(folders, limits.minFreeBytes);
  const files = new Files(dataDir, assertOpen, outsideRuns);
  const volumes = new VolumeFolders(dataDir, outsideVolumes);
  const logs = await openLogs({ dataDir, storage, clock, limits, onFailure });
  atClose(() => logs.close());
  const billing = new Billing({ deployments, grants, wallets });
  const runs = new ChargedRuns(storage);
  const metering = new Metering({
    storage,
    clock,
    boot: readBootId(),
    deployments,
    runs,
    billing,
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
  const { firstUserPort = readFirstUserPort() } = options;
  const runtime = createRuntime(options, {
    storage,
    dataDir: options.dataDir,
    identity,
    isolation,
    firstUserPort,
    keepsData: (id) => closed.keeps(id),
  });
  const volumeUse = new VolumeUse({
    clock,
    listOpen: () => deployments.listOpen(),
    folders: volumes,
    measureFolder,
    measureEngine: (signal) => runtime.measureVolumes(signal),
    onChange: (id) => {
      deployments.changes.add(deployments.getById(id));
    },
    onFailure,
  });
  const { backend, rules } = createBackend(options, {
    storage,
    dataDir,
    identity,
    clock,
    deployments,
    files,
    volumes,
    volumeUse,
    exceeded: new ExceededVolumes(storage),
    logs,
    metering,
    runs,
    runtime,
    graceMs,
    keepsData: (id) => closed.keeps(id),
    onFailure,
  });
  const supervisor = new Supervisor({
    deployments,
    closed,
    files,
    logs,
    metering,
    billing,
    runtime: rules,
    backend,
    trust,
    ownWallet,
    firstUserPort,
    limits,
    space,
    onEnded: () => {
      void retention.removeDue();
    },
  });
  const retention = new ClosedRetention({
    storage,
    clock,
    closed,
    logs,
    removeFiles: async (id) => {
      await files.snapshots.holdEnded();
      await volumes.removeExternal(id);
      const { services } = deployments.getById(id);
      if (hasEngineVolumes(services)) await backend.removeVolumes(id);
      await files.remove(id);
    },
    hasEnded: (id) => supervisor.hasEnded(id),
    keepMs: keepClosedMs,
    onFailure,
  });
  const service = {
    clock,
    limits,
    version,
    tokens,
    wrongTokenLimiter: new WrongTokenLimiter(clock, limits.wrongTokensPerMinute),
    streamLimiter: new StreamLimiter(limits.streamsPerWallet),
    answerLimiter: new AnswerLimiter(limits.unreadBytesPerWallet),
    deployments,
    supervisor,
    files,
    logs,
    grants,
    space,
    onFailure,
  };
  return { service, wallets, metering, retention, runtime, volumes, volumeUse };
}

/** Options of a host that runs services on a cluster. */
interface ClusterOptions {
  /** Prefix of the repositories for files: `HOST[:PORT]/PREFIX`. */
  readonly registry?: string | undefined;
  /** Divisor of the limits that nodes reserve; 1 by default. */
  readonly overcommit?: number | undefined;
  /** Takes services on a cluster over from a host that has ended. */
  readonly takeOver?: boolean | undefined;
  /** Called with the reason, a few words, when this host can do nothing any more. */
  readonly onLost?: ((reason: string) => void) | undefined;
}

type BackendOptions = RuntimeOptions & ClusterOptions;

type BackendParts = LocalBackendParts &
  Omit<
    ClusterBackendParts,
    | 'environment'
    | 'registry'
    | 'volumeNodes'
    | 'overcommit'
    | 'host'
    | 'holder'
    | 'place'
    | 'takesOver'
    | 'onLost'
  > & {
    readonly storage: Storage;
    readonly dataDir: string;
    /** Id of the data folder; a copy has another one. */
    readonly identity: string;
    readonly runtime: ServiceRules;
  };

/** Returns the backend of a host, and the rules by which it accepts services. */
function createBackend(
  options: BackendOptions,
  parts: BackendParts,
): { readonly backend: Backend; readonly rules: ServiceRules } {
  const { engineEnvironment = process.env, registry, overcommit = 1, takeOver = false } = options;
  if (options.runtime !== 'swarm') {
    return { backend: new LocalBackend(parts), rules: parts.runtime };
  }
  const backend = new ClusterBackend({
    ...parts,
    volumeNodes: new VolumeNodes(parts.storage),
    environment: engineEnvironment,
    registry,
    overcommit,
    host: loadClusterIdentity(parts.storage),
    holder: parts.identity,
    place: `${parts.dataDir} on ${hostname()}`,
    takesOver: takeOver,
    onLost: options.onLost ?? (() => undefined),
  });
  return { backend, rules: new ClusterRules(() => backend.readNodes()) };
}

/** Metadata key of the host's id on a cluster, which a move of the data folder doesn't change. */
const identityKey = 'cluster-identity';

function loadClusterIdentity(storage: Storage): string {
  const known = storage.readMeta(identityKey);
  if (known !== undefined) return known;
  const identity = randomUUID();
  storage.writeMeta(identityKey, identity);
  return identity;
}
