import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { measureTree } from '../files/tree-size.ts';
import type { Instance } from './instance.ts';

/** A service with a limit of the storage of each instance outside of its volumes. */
export interface LimitedService {
  readonly service: ServiceDefinition;
  /** Bytes. */
  readonly limit: number;
  readonly instances: readonly Instance[];
  /** Folders that all instances of the service write to as processes. */
  readonly folders: readonly string[];
}

const mebibyte = 2 ** 20;

/**
 * Resolves with a sentence when a service uses more storage than its definition allows; undefined
 * while it doesn't, or when nothing is known. Containers have storage of their own; processes share
 * their folders, and so the limits of all of them.
 */
export async function findStorageExcess({
  service,
  limit,
  instances,
  folders,
}: LimitedService): Promise<string | undefined> {
  const own: number[] = [];
  for (const instance of instances) {
    const bytes = await instance.measureStorage();
    if (bytes !== undefined) own.push(bytes);
  }
  if (own.length > 0) return describeExcess(Math.max(...own), limit);
  const shared = limit * service.count;
  let used = 0;
  for (const folder of folders) {
    if (used <= shared) used += await measureTree(folder, shared - used);
  }
  return describeExcess(used, shared);
}

function describeExcess(used: number, limit: number): string | undefined {
  if (used <= limit) return undefined;
  return (
    `uses more than its ${formatLimit(limit)} of storage (storage.size), so it is stopped; ` +
    'a restart begins with the uploaded files'
  );
}

/** Formats a limit of storage for a person. */
export function formatLimit(bytes: number): string {
  return bytes < mebibyte ? `${bytes} bytes` : `${Math.floor((bytes / mebibyte) * 10) / 10} MiB`;
}
