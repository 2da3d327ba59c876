import type { CreateImageInfo } from '../engine/engine-api.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus, shorten } from '../engine/engine-error.ts';
import type { EngineEnvironment } from '../engine/engine-place.ts';
import { inspectImage, pullImage } from '../engine/images.ts';
import { findLogin, withRegistry } from './registry-logins.ts';
import type { RunFailure, RunRequest } from './runtime.ts';

/** How often at most a pull says how far it is. */
const everyMs = 2000;

/**
 * Sees to it that the engine has the image, pulled when it is missing, and tells how far that is.
 * Undefined when it is there.
 *
 * @param env variables that say where logins at registries are stored.
 */
export async function ensureImage(
  client: EngineClient,
  image: string,
  { onEvent, unwanted }: Pick<RunRequest, 'onEvent' | 'unwanted'>,
  env: EngineEnvironment,
): Promise<RunFailure | undefined> {
  try {
    await inspectImage(client, image);
    return undefined;
  } catch (error) {
    if (engineStatus(error) !== 404) return { failure: engineReason(error) };
  }
  const name = withTag(image);
  const progress = new PullProgress();
  onEvent(`pulling ${name}`);
  const { credentials, helper } = await findLogin(name, env);
  try {
    // A login is sent for its own registry only.
    const from = credentials === undefined ? name : withRegistry(name);
    const steps = pullImage(client, from, { auth: credentials, signal: unwanted });
    await followPull(steps, progress, (text) => {
      onEvent(`pulling ${name}: ${text}`);
    });
    // Podman may tell of a failure in the stream only, as words.
    await inspectImage(client, image);
  } catch (error) {
    if (unwanted.aborted) return { failure: 'no longer wanted' };
    const reason = progress.error ?? engineReason(error);
    const hint =
      helper === undefined ? '' : ` (its login is kept by ${helper}: helpers are not supported)`;
    return { failure: `image ${name} cannot be pulled: ${reason}${hint}` };
  }
  onEvent(`pulled ${name}`);
  return undefined;
}

/** Takes what a pull tells until it ends, and says now and then how far it is. */
async function followPull(
  steps: AsyncIterable<CreateImageInfo>,
  progress: PullProgress,
  say: (text: string) => void,
): Promise<void> {
  let saidAt = performance.now();
  let said = '';
  for await (const step of steps) {
    progress.take(step);
    const text = progress.text();
    const now = performance.now();
    if (text === '' || text === said || now - saidAt < everyMs) continue;
    saidAt = now;
    said = text;
    say(text);
  }
}

/** The image with the tag that is meant when none is named: engines pull all of them otherwise. */
export function withTag(image: string): string {
  const last = image.slice(image.lastIndexOf('/') + 1);
  return /[:@]/.test(last) ? image : `${image}:latest`;
}

/** Adds up how far the layers of an image are. */
export class PullProgress {
  readonly #layers = new Map<string, { readonly current: number; readonly total: number }>();
  #error: string | undefined;

  /** What went wrong, as the engine said it. */
  get error(): string | undefined {
    return this.#error;
  }

  take({ id, status, error, errorDetail, progressDetail }: CreateImageInfo): void {
    const failure = errorDetail?.message ?? error;
    if (failure !== undefined) this.#error = shorten(failure);
    const { current, total } = progressDetail ?? {};
    if (id === undefined || current === undefined || total === undefined || total <= 0) return;
    // Layers are unpacked after they have come, and tell of that alike.
    if (status === 'Downloading')
      this.#layers.set(id, { current: Math.min(current, total), total });
    else this.#layers.set(id, { current: total, total });
  }

  /** As `45 % of 12.3 MB`; empty while nothing is known. */
  text(): string {
    let current = 0;
    let total = 0;
    for (const layer of this.#layers.values()) {
      current += layer.current;
      total += layer.total;
    }
    if (total === 0) return '';
    return `${Math.floor((current / total) * 100)} % of ${(total / 1e6).toFixed(1)} MB`;
  }
}
