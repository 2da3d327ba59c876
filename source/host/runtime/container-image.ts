import type { CreateImageInfo } from '../engine/engine-api.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus, shorten } from '../engine/engine-error.ts';
import type { EngineEnvironment } from '../engine/engine-place.ts';
import { inspectImage, pullImage } from '../engine/images.ts';
import { findLogin, withRegistry } from './registry-logins.ts';
import type { RunFailure, RunRequest } from './runtime.ts';

/** Time between two progress events of a pull. */
const progressMs = 2000;

/**
 * Pulls the image when the engine does not have it, and reports the progress as events. Resolves
 * with undefined once the engine has the image.
 *
 * @param env variables that name the files of registry logins.
 */
export async function ensureImage(
  client: EngineClient,
  image: string,
  { onEvent, cancelSignal }: Pick<RunRequest, 'onEvent' | 'cancelSignal'>,
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
    const steps = pullImage(client, from, { auth: credentials, signal: cancelSignal });
    await followPull(steps, progress, (text) => {
      onEvent(`pulling ${name}: ${text}`);
    });
    // Podman may report a failure only as text in the stream.
    await inspectImage(client, image);
  } catch (error) {
    if (cancelSignal.aborted) return { failure: 'cancelled' };
    const reason = progress.error ?? engineReason(error);
    const hint =
      helper === undefined ? '' : ` (its login is stored by ${helper}, which is not supported)`;
    return { failure: `can't pull image ${name}: ${reason}${hint}` };
  }
  onEvent(`pulled ${name}`);
  return undefined;
}

/** Consumes the steps of a pull, and reports the progress at most every {@link progressMs}. */
async function followPull(
  steps: AsyncIterable<CreateImageInfo>,
  progress: PullProgress,
  report: (text: string) => void,
): Promise<void> {
  let reportedAt = performance.now();
  let lastText = '';
  for await (const step of steps) {
    progress.update(step);
    const text = progress.text();
    const now = performance.now();
    if (text === '' || text === lastText || now - reportedAt < progressMs) continue;
    reportedAt = now;
    lastText = text;
    report(text);
  }
}

/** Returns the image with the tag `latest` when it has none; engines pull all tags otherwise. */
export function withTag(image: string): string {
  const last = image.slice(image.lastIndexOf('/') + 1);
  return /[:@]/.test(last) ? image : `${image}:latest`;
}

/** Adds up the progress of an image's layers. */
export class PullProgress {
  readonly #layers = new Map<string, { readonly current: number; readonly total: number }>();
  #error: string | undefined;

  /** The engine's last error message. */
  get error(): string | undefined {
    return this.#error;
  }

  update({ id, status, error, errorDetail, progressDetail }: CreateImageInfo): void {
    const failure = errorDetail?.message ?? error;
    if (failure !== undefined) this.#error = shorten(failure);
    const { current, total } = progressDetail ?? {};
    if (id === undefined || current === undefined || total === undefined || total <= 0) return;
    // Other states come after the download: unpacking reports its progress in the same fields.
    if (status === 'Downloading')
      this.#layers.set(id, { current: Math.min(current, total), total });
    else this.#layers.set(id, { current: total, total });
  }

  /** Returns the progress in the form `45 % of 12.3 MB`; empty before the first layer. */
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
