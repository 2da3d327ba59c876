import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { serviceFolder } from '../../contract/sdl/mount-path.ts';
import { copyToContainer, createContainer, removeContainer } from '../engine/containers.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { EngineError, engineReason, engineStatus } from '../engine/engine-error.ts';
import type { EngineEnvironment } from '../engine/engine-place.ts';
import { commitContainer, pushImage, readImage, removeImage } from '../engine/images.ts';
import { findDigest } from '../engine/swarm.ts';
import { archiveTree } from '../files/tree-archive.ts';
import { ensureImage, withTag } from '../runtime/container-image.ts';
import { findLogin } from '../runtime/registry-logins.ts';

/** An image that every node can pull, and that never changes. */
export interface StoredImage {
  /** Reference with a digest. */
  readonly reference: string;
  readonly hasFiles: boolean;
}

export interface WantedImage {
  /** Image of the definition. */
  readonly image: string;
  /** Folder of the files that it gets. */
  readonly tree: string;
  /** Receives the progress, a few words each. */
  readonly onEvent: (text: string) => void;
  readonly signal: AbortSignal;
}

const needsRegistry = 'its files need a registry that all nodes reach (--registry)';

/** Time that a person waits for the answer to a restart while a registry is asked. */
const checkMs = 10_000;

/**
 * Puts the files of services into images, one layer each on the image of the definition, in a
 * registry that all nodes reach.
 */
export class ImageStore {
  readonly #client: EngineClient;
  readonly #env: EngineEnvironment;
  /** Repository prefix in the form `HOST[:PORT]/PREFIX`; undefined without a registry. */
  readonly #registry: string | undefined;

  constructor(client: EngineClient, env: EngineEnvironment, registry: string | undefined) {
    this.#client = client;
    this.#env = env;
    this.#registry = registry;
  }

  /** Resolves with the image to run. Rejects with the reason in a few words. */
  async store({ image, tree, onEvent, signal }: WantedImage): Promise<StoredImage> {
    const base = await this.#pin(withTag(image));
    if ((await readdir(tree)).length === 0) return { reference: base, hasFiles: false };
    if (this.#registry === undefined) {
      throw new Error(needsRegistry);
    }
    const repository = `${this.#registry}/files`;
    const digest = createHash('sha256').update(base);
    for await (const chunk of archiveTree(tree, serviceFolder.slice(1))) digest.update(chunk);
    const tag = digest.digest('hex');
    const name = `${repository}:${tag}`;
    const { credentials } = await findLogin(name, this.#env);
    const known = await findDigest(this.#client, name, credentials).catch(ignoreMissing);
    if (known !== undefined) return { reference: `${name}@${known}`, hasFiles: true };
    const failed = await ensureImage(
      this.#client,
      base,
      { onEvent, cancelSignal: signal },
      this.#env,
    );
    if (failed !== undefined) throw new Error(failed.failure);
    await this.#addLayer(base, tree, { repository, tag }, signal);
    onEvent(`pushing its files to ${repository}`);
    try {
      const pushed = await pushImage(this.#client, { repository, tag }, credentials);
      return { reference: `${name}@${pushed}`, hasFiles: true };
    } catch (error) {
      throw new Error(`can't push its files to ${repository}: ${engineReason(error)}`, {
        cause: error,
      });
    } finally {
      // The registry has it; a manager that runs no services needs no copy.
      await removeImage(this.#client, name).catch(() => undefined);
    }
  }

  /**
   * Resolves with the reason why images can't be put together now, in a few words; undefined when
   * they can.
   *
   * @param hasFiles true for files that become a layer of an image.
   */
  async findObstacle(images: readonly string[], hasFiles: boolean): Promise<string | undefined> {
    const checks = [...new Set(images)].map(async (image) => {
      await this.#pin(withTag(image), checkMs);
    });
    if (hasFiles) checks.push(this.#probe());
    const results = await Promise.allSettled(checks);
    const failed = results.find((result) => result.status === 'rejected');
    return failed === undefined ? undefined : engineReason(failed.reason);
  }

  /** Rejects when the registry of files does not answer the engine. */
  async #probe(): Promise<void> {
    if (this.#registry === undefined) throw new Error(needsRegistry);
    const name = `${this.#registry}/files:probe`;
    const { credentials } = await findLogin(name, this.#env);
    try {
      await findDigest(this.#client, name, credentials, checkMs);
    } catch (error) {
      // Registries answer for a missing image in several ways, but not as a failure of their own.
      const status = engineStatus(error);
      if (status !== undefined && status < 500) return;
      const reason = engineReason(error);
      throw new Error(`the registry ${this.#registry} does not answer the engine: ${reason}`, {
        cause: error,
      });
    }
  }

  /** Resolves with the image and the digest that its registry has for it now. */
  async #pin(image: string, silenceMs?: number): Promise<string> {
    if (image.includes('@')) return image;
    const { credentials } = await findLogin(image, this.#env);
    try {
      return `${image}@${await findDigest(this.#client, image, credentials, silenceMs)}`;
    } catch (error) {
      throw new Error(`can't find image ${image}: ${engineReason(error)}`, { cause: error });
    }
  }

  async #addLayer(
    base: string,
    tree: string,
    target: { readonly repository: string; readonly tag: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { hasCommand } = await readImage(this.#client, base);
    // An engine creates no container without a command; this one never starts.
    const command = hasCommand ? {} : { Cmd: ['none'] };
    const config = {
      Image: base,
      Labels: {},
      Env: [],
      ExposedPorts: {},
      HostConfig: {},
      ...command,
    };
    const name = `hostdeck-files-${target.tag.slice(0, 12)}`;
    const { id } = await createContainer(this.#client, name, config);
    try {
      const archive = archiveTree(tree, serviceFolder.slice(1));
      await copyToContainer(this.#client, id, '/', archive, { signal });
      await commitContainer(this.#client, id, target);
    } finally {
      await removeContainer(this.#client, id).catch(() => undefined);
    }
  }
}

/** Registries answer for a missing image in several ways, and engines with any status. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof EngineError)) throw error;
}
