import type { ServiceDefinition, VolumeDefinition } from '../../contract/sdl/definition.ts';
import type { HostClock } from '../clock.ts';
import type { VolumeFolders, VolumeOwner } from './volume-folders.ts';
import { placePath } from './volume-place.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../isolation/programs.ts';

/** Returns the size in bytes of an engine's volume; undefined when the engine doesn't report it. */
export type EngineVolumeSizes = (owner: VolumeOwner, name: string) => number | undefined;

/** A deployment whose volumes are measured. */
interface MeasuredDeployment {
  readonly id: string;
  readonly services: readonly ServiceDefinition[];
}

export interface VolumeUseParts {
  readonly clock: HostClock;
  readonly listOpen: () => readonly MeasuredDeployment[];
  readonly folders: Pick<VolumeFolders, 'place'>;
  /** Resolves with the bytes that a folder takes; undefined when they can't be measured. */
  readonly measureFolder: (folder: string, signal: AbortSignal) => Promise<number | undefined>;
  /** Resolves with the sizes of the engine's volumes. */
  readonly measureEngine: (signal: AbortSignal) => Promise<EngineVolumeSizes>;
  /** Called with the id of a deployment whose use has changed. */
  readonly onChange: (deployment: string) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Shortest pause between two measurements of all volumes. */
const minPauseMs = 10_000;

/** The pause is this many times as long as the measurement, which bounds its share of the disk. */
const pauseFactor = 20;

/**
 * Measures the persistent volumes of open deployments, one after the other and never during a request:
 * readers get the last result.
 */
export class VolumeUse {
  readonly #parts: VolumeUseParts;
  /** Bytes by key of a service's volume. */
  #bytes: ReadonlyMap<string, number> = new Map();
  #cancel: (() => void) | undefined;
  #pass: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(parts: VolumeUseParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#pass = this.#run();
  }

  /** Cancels the measurement under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel?.();
    await this.#pass;
  }

  /** Returns the bytes of a volume in all instances of a service; undefined before a measurement. */
  bytes(deployment: string, service: string, name: string): number | undefined {
    return this.#bytes.get(keyOf(deployment, service, name));
  }

  async #run(): Promise<void> {
    const { clock, onFailure } = this.#parts;
    const since = clock.monotonic();
    try {
      await this.#measureAll();
    } catch (error) {
      onFailure(error);
    }
    if (this.#stopping.signal.aborted) return;
    const pause = Math.max(minPauseMs, pauseFactor * (clock.monotonic() - since));
    this.#cancel = clock.schedule(pause, () => {
      this.#pass = this.#run();
    });
  }

  async #measureAll(): Promise<void> {
    const { listOpen, onChange } = this.#parts;
    const found = new Map<string, number>();
    let sizes: EngineVolumeSizes | undefined;
    for (const deployment of listOpen()) {
      for (const service of deployment.services) {
        for (const volume of service.volumes ?? []) {
          if (this.#stopping.signal.aborted) return;
          if (volume.kind !== 'persistent') continue;
          if (service.image !== undefined)
            sizes ??= await this.#parts.measureEngine(this.#stopping.signal);
          const bytes = await this.#measure(deployment.id, service, volume, sizes);
          const key = keyOf(deployment.id, service.name, volume.name);
          const known = bytes ?? this.#bytes.get(key);
          if (known !== undefined) found.set(key, known);
        }
      }
    }
    const before = this.#bytes;
    this.#bytes = found;
    for (const { id, services } of listOpen()) {
      const keys = services.flatMap((service) =>
        (service.volumes ?? []).map(({ name }) => keyOf(id, service.name, name)),
      );
      if (keys.some((key) => before.get(key) !== found.get(key))) onChange(id);
    }
  }

  /** Resolves with the bytes in all instances; undefined when one can't be measured. */
  async #measure(
    deployment: string,
    service: ServiceDefinition,
    volume: VolumeDefinition,
    sizes: EngineVolumeSizes | undefined,
  ): Promise<number | undefined> {
    const { folders, measureFolder } = this.#parts;
    let sum = 0;
    for (
      let instance = 1;
      instance <= service.count && !this.#stopping.signal.aborted;
      instance += 1
    ) {
      const owner = { deployment, service: service.name, instance };
      const bytes =
        service.image === undefined
          ? await measureFolder(placePath(folders.place(owner, volume, '/')), this.#stopping.signal)
          : sizes?.(owner, volume.name);
      if (bytes === undefined) return undefined;
      sum += bytes;
    }
    return sum;
  }
}

function keyOf(...parts: readonly [deployment: string, service: string, name: string]): string {
  return parts.join('/');
}

/** Time after which a measurement ends without a result, as a volume may have any number of files. */
const timeoutMs = 20_000;

/**
 * Resolves with the bytes that a folder takes on the disk; undefined when they can't be measured in
 * time. `du` follows no link, counts a file with several names once, and can measure trees that
 * change meanwhile, are deeper than any path, or have unreadable parts, which do not count.
 */
export async function measureFolder(
  folder: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const program = findProgram('du', process.env['PATH']);
  if (program === undefined) return undefined;
  const output = await run(program, ['-skx', '--', folder], signal);
  const [, kibibytes] = /^(\d+)\s/.exec(output) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/**
 * Resolves with the output, also that of a program that failed in part; empty when the program was
 * killed because of the timeout or of `signal`.
 */
async function run(
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', env: {}, signal } as const;
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { stdout, killed } = error as { readonly stdout?: unknown; readonly killed?: unknown };
    const isKilled = killed === true || signal?.aborted === true;
    return typeof stdout === 'string' && !isKilled ? stdout : '';
  }
}
