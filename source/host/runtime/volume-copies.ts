import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import {
  copyFromContainer,
  copyToContainer,
  createContainer,
  removeContainer,
} from '../engine/containers.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { folderEntries, tellsOwners } from '../engine/volume-archive.ts';
import { leastMinFreeBytes, readFreeBytes } from '../disk-space.ts';
import { packArchive } from '../files/tree-archive.ts';
import { labels } from './container-labels.ts';

/** Folder of a volume in the container that lends it to the host. */
const folder = '/hostdeck-volume';

/** Bytes between two looks at the free space of the disk that a copy is written to. */
const lookBytes = 4 * 2 ** 20;

/** Identifies a volume on an engine, and an image that the engine has. */
export interface CopiedVolume {
  /** Name of the volume on the engine. */
  readonly volume: string;
  readonly image: string;
}

/**
 * Copies the content of an engine's volume to a tar archive and back. An engine gives access to a
 * volume through a container only: one is created for it, never started, and removed. It has the
 * host's labels, so that the next host removes what a killed one left.
 */
export class VolumeCopies {
  readonly #host: string;
  readonly #runs: Set<string>;

  /**
   * @param host id of the host, unique on the engine.
   * @param runs ids whose containers the host does not take for left ones.
   */
  constructor(host: string, runs: Set<string> = new Set()) {
    this.#host = host;
    this.#runs = runs;
  }

  /**
   * Writes the content of a volume to a new file, as it is while its service goes on. Resolves with
   * the number of entries that an archive can't have. Rejects when the engine fails, or when the
   * disk has little space left.
   */
  async save(client: EngineClient, source: CopiedVolume, file: string): Promise<number> {
    let skipped = 0;
    await this.#withContainer(client, source, false, async (id) => {
      const entries = folderEntries(copyFromContainer(client, id, folder), () => {
        skipped += 1;
      });
      const bytes = packArchive(async (packer) => {
        for await (const { header, body } of entries) await body.pipeTo(packer.add(header));
      });
      await writeSparingly(file, bytes);
    });
    return skipped;
  }

  /**
   * Fills a volume with the content of a file, before its first use. Where the file tells no owner,
   * as Podman doesn't, all belongs to the user of the image.
   */
  async restore(
    client: EngineClient,
    target: CopiedVolume,
    file: string,
    signal: AbortSignal,
  ): Promise<void> {
    const isOwned = await tellsOwners(createReadStream(file));
    await this.#withContainer(client, target, true, async (id) => {
      const archive = createReadStream(file);
      await copyToContainer(client, id, folder, archive, { signal, ownedByUser: !isOwned });
    });
  }

  async #withContainer(
    client: EngineClient,
    { volume, image }: CopiedVolume,
    isWritten: boolean,
    work: (id: string) => Promise<void>,
  ): Promise<void> {
    const run = randomUUID();
    this.#runs.add(run);
    try {
      const { id } = await createContainer(client, `hostdeck-copy-${run}`, {
        Image: image,
        Labels: { [labels.host]: this.#host, [labels.run]: run },
        Env: [],
        // An image may have no command, without which Docker creates no container.
        Entrypoint: ['hostdeck'],
        ExposedPorts: {},
        HostConfig: {
          Binds: [`${volume}:${folder}${isWritten ? '' : ':ro'}`],
          NetworkMode: 'none',
          CapDrop: ['ALL'],
          LogConfig: { Type: 'none', Config: {} },
          RestartPolicy: { Name: 'no' },
        },
      });
      try {
        await work(id);
      } finally {
        await removeContainer(client, id);
      }
    } finally {
      this.#runs.delete(run);
    }
  }
}

/** Writes a new file, and stops before it takes the space that a host needs. */
async function writeSparingly(file: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let unseen = lookBytes;
    for await (const chunk of bytes) {
      unseen += chunk.length;
      if (unseen >= lookBytes) {
        unseen = 0;
        if (readFreeBytes(path.dirname(file)) < leastMinFreeBytes + 2 * lookBytes) {
          throw new Error('the disk of the data folder has no space for a copy');
        }
      }
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
}
