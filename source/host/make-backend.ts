import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ClusterBackend, type ClusterBackendParts } from './cluster/cluster-backend.ts';
import { ClusterRules } from './cluster/cluster-rules.ts';
import { VolumeNodes } from './cluster/volumes/volume-nodes.ts';
import { LocalBackend, type LocalBackendParts } from './local/local-backend.ts';
import type { RuntimeOptions } from './make-runtime.ts';
import type { Storage } from './records/storage.ts';
import type { ServiceRules } from './runtime/runtime.ts';
import type { Backend } from './supervisor/backend.ts';

/** Options of a host that runs services on a cluster. */
export interface ClusterOptions {
  /** Prefix of the repositories for files: `HOST[:PORT]/PREFIX`. */
  readonly registry?: string | undefined;
  /** Divisor of the limits that nodes reserve; 1 by default. */
  readonly overcommit?: number | undefined;
  /** Takes services on a cluster over from a host that has ended. */
  readonly takeOver?: boolean | undefined;
  /** Called with the reason, a few words, when this host can do nothing any more. */
  readonly onLost?: ((reason: string) => void) | undefined;
}

export type BackendOptions = RuntimeOptions & ClusterOptions;

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
export function createBackend(
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
