import { randomUUID } from 'node:crypto';
import { ClusterBackend, type ClusterBackendParts } from './cluster/cluster-backend.ts';
import { clusterRules } from './cluster/cluster-rules.ts';
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
}

export type BackendOptions = RuntimeOptions & ClusterOptions;

type BackendParts = LocalBackendParts &
  Omit<ClusterBackendParts, 'environment' | 'registry' | 'overcommit' | 'host'> & {
    readonly storage: Storage;
    readonly runtime: ServiceRules;
  };

/** Returns the backend of a host, and the rules by which it accepts services. */
export function createBackend(
  { runtime: name, engineEnvironment = process.env, registry, overcommit = 1 }: BackendOptions,
  parts: BackendParts,
): { readonly backend: Backend; readonly rules: ServiceRules } {
  if (name !== 'swarm') return { backend: new LocalBackend(parts), rules: parts.runtime };
  const backend = new ClusterBackend({
    ...parts,
    environment: engineEnvironment,
    registry,
    overcommit,
    host: loadClusterIdentity(parts.storage),
  });
  return { backend, rules: clusterRules };
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
