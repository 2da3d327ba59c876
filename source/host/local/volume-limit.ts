import type { VolumeDefinition } from '../../contract/sdl/definition.ts';
import { formatLimit } from './storage-limit.ts';

export interface VolumeLimitParts {
  readonly volume: Pick<VolumeDefinition, 'name' | 'kind'>;
  /** Bytes that the volume may have in all instances together. */
  readonly bytes: number;
  /**
   * Resolves with the bytes that it has, or with any number above `most` if it has more; undefined
   * when they are unknown.
   */
  readonly measure: (most: number) => Promise<number | undefined>;
  /** True when an earlier host found the volume above its size. */
  readonly wasExceeded?: boolean;
  /** Called when the volume is found above its size, and when it is within it again. */
  readonly onExceeded?: (isExceeded: boolean) => void;
}

/** The limit of one volume of a service. */
export class VolumeLimit {
  readonly #parts: VolumeLimitParts;
  #allowed: number;
  #isExceeded: boolean;
  /** True until an exceeded volume may have what it has. */
  #isAccepting: boolean;

  constructor(parts: VolumeLimitParts) {
    this.#parts = parts;
    this.#allowed = parts.bytes;
    this.#isExceeded = this.#isAccepting = parts.wasExceeded === true;
  }

  /** Resolves with a sentence when the volume has more than it may; undefined otherwise. */
  async findExcess(): Promise<string | undefined> {
    if (this.#isAccepting) {
      await this.acceptUse();
      return undefined;
    }
    const { volume, bytes, measure } = this.#parts;
    const used = await measure(this.#allowed);
    if (used === undefined || used <= this.#allowed) return undefined;
    this.#mark(true);
    const next =
      volume.kind === 'persistent'
        ? 'after a restart it can free space, and is stopped again if the volume grows'
        : 'a restart empties the volume';
    return (
      `uses more than the ${formatLimit(bytes)} of its volume ${volume.name} (storage.size), ` +
      `so it is stopped; ${next}`
    );
  }

  /**
   * Allows what an exceeded volume has: a service that were stopped at each start could never free
   * space in a volume that outlives it. Call it while the service doesn't run.
   */
  async acceptUse(): Promise<void> {
    if (!this.#isExceeded) return;
    const { bytes, measure } = this.#parts;
    const used = await measure(Number.POSITIVE_INFINITY);
    this.#isAccepting = used === undefined;
    if (used === undefined) return;
    this.#allowed = Math.max(bytes, used);
    this.#mark(used > bytes);
  }

  #mark(isExceeded: boolean): void {
    if (this.#isExceeded === isExceeded) return;
    this.#isExceeded = isExceeded;
    this.#parts.onExceeded?.(isExceeded);
  }
}
