import { type OutputLine, outputText } from '../logs/run.ts';
import { LineSplitter } from '../logs/splitter.ts';
import { Deadline } from './deadline.ts';
import type { AuthConfig, CreateImageInfo } from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineError } from './engine-error.ts';
import { objectFields } from './fields.ts';

/** Deadlines of a pull. An engine may report nothing during the download of a large layer. */
const pullSilenceMs = 15 * 60_000;
const pullTotalMs = 6 * 3_600_000;

/** Most bytes of progress of one pull; Docker sends about 10 MB for an image of 20 GB. */
const maxPullBytes = 64 * 2 ** 20;

/** Resolves when the engine has the image; rejects with a 404 when it hasn't (`ImageInspect`). */
export async function inspectImage(client: EngineClient, image: string): Promise<void> {
  await client.command('GET', `/images/${pathOf(image)}/json`);
}

/**
 * Pulls an image, and yields the steps of its progress (`ImageCreate`). An engine may report a
 * failure as a step, with status 200. A line that is not JSON yields a step without fields.
 */
export async function* pullImage(
  client: EngineClient,
  image: string,
  { auth, signal }: { readonly auth?: AuthConfig | undefined; readonly signal: AbortSignal },
): AsyncGenerator<CreateImageInfo> {
  const deadline = new Deadline(pullSilenceMs, pullTotalMs);
  const headers =
    auth === undefined
      ? undefined
      : { 'X-Registry-Auth': Buffer.from(JSON.stringify(auth)).toString('base64url') };
  try {
    const steps = await client.stream('POST', '/images/create', {
      query: { fromImage: image },
      headers,
      silenceMs: pullSilenceMs,
      signal: AbortSignal.any([deadline.signal, signal]),
    });
    const splitter = new LineSplitter();
    let bytes = 0;
    for await (const chunk of steps as AsyncIterable<Buffer>) {
      deadline.renew();
      bytes += chunk.length;
      if (bytes > maxPullBytes) throw new EngineError('the progress of the pull exceeds 64 MiB');
      for (const line of splitter.push(chunk)) yield parseStep(line);
    }
    for (const line of splitter.end()) yield parseStep(line);
  } finally {
    deadline.end();
  }
}

function parseStep(line: OutputLine): CreateImageInfo {
  const { id, status, error, errorDetail, progressDetail } = objectFields(
    parseJson(outputText(line)),
  );
  const { message } = objectFields(errorDetail);
  const { current, total } = objectFields(progressDetail);
  return {
    id: textOf(id),
    status: textOf(status),
    error: textOf(error),
    errorDetail: { message: textOf(message) },
    progressDetail: { current: numberOf(current), total: numberOf(total) },
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Encodes an image's name for a path; its slashes stay. */
function pathOf(image: string): string {
  const segments = image.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    throw new EngineError(`${image} is not an image name`, 400);
  }
  return segments.map(encodeURIComponent).join('/');
}
