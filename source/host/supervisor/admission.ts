import type { Detail } from '../../contract/detail.ts';
import type { Definition, SdlWarning } from '../../contract/sdl/definition.ts';
import { parseSdl } from '../../contract/sdl/parse.ts';
import type { HostLimits } from '../server/limits.ts';
import { forbidden, Refusal } from '../refusal.ts';
import type { HostRuntime, Runtime } from '../runtime/runtime.ts';
import { type StartRefusal, type StartRules, startRefusals } from './start-refusals.ts';

/**
 * Reads an SDL that its owner wants to run here. Parts without effect end up in its warnings.
 * Throws a 422 that names every mistake with its place, and a 403 for a wallet whose deployments this
 * host doesn't run.
 */
export async function admitSdl(
  { owner, sdl }: { readonly owner: string; readonly sdl: string },
  { runtime, trust }: StartRules & { readonly runtime: HostRuntime },
  limits: HostLimits,
): Promise<Definition> {
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw refuseSdl(parsed.problems);
  const { services } = parsed.definition;
  const refused = startRefusals({ runtime, trust }, { owner, services });
  const distrusted = refused.find(({ service }) => service === undefined);
  if (distrusted !== undefined) throw forbidden(distrusted.sentence);
  if (refused.length > 0) throw refuseSdl(refused.map(detailOf), refused[0]?.sentence);
  const instances = services.reduce((sum, service) => sum + service.count, 0);
  if (instances > limits.instances) {
    throw refuseSdl([{ field: 'deployment', expected: `at most ${limits.instances} instances` }]);
  }
  const missing = await runtime.shortage(services);
  const short = services.flatMap((service) => {
    const refusal = missing.get(service.name);
    return refusal === undefined ? [] : [{ ...refusal, service }];
  });
  if (short.length > 0) throw refuseSdl(short.map(detailOf), short[0]?.sentence);
  return { ...parsed.definition, warnings: withIgnored(parsed.definition, runtime) };
}

/** The place of a refusal: an image where there is one, since that decides how a service runs. */
function detailOf({ service, expected }: StartRefusal): Detail {
  if (service === undefined) return { field: 'sdl', expected };
  const { name, image, imagePosition, position } = service;
  return image === undefined
    ? { field: `services.${name}`, expected, ...position }
    : { field: `services.${name}.image`, expected, ...(imagePosition ?? position) };
}

/** Returns the warnings of a stored deployment that may not start. */
export function warningsOf(refusals: readonly StartRefusal[]): readonly SdlWarning[] {
  return refusals.map((refusal) => {
    const { line = 1, column = 1 } = detailOf(refusal);
    return { line, column, message: refusal.sentence };
  });
}

/** The warnings of a definition, and one for each part that the runtime has no use for. */
function withIgnored({ warnings, parts }: Definition, runtime: Runtime): readonly SdlWarning[] {
  const ignored = parts
    .filter(({ name }) => runtime.ignores(name))
    .map(({ name, line, column }) => ({
      line,
      column,
      message: `${name} has no effect on this host.`,
    }));
  return inOrder([...warnings, ...ignored]);
}

/** Returns warnings in the order of the text. */
export function inOrder(warnings: readonly SdlWarning[]): readonly SdlWarning[] {
  return warnings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * One answer for all mistakes; the message shows the first with its place.
 * @param sentence says more of the first than its expected value.
 */
function refuseSdl(problems: readonly Detail[], sentence?: string): Refusal {
  const [first] = problems;
  const place = first?.line === undefined ? '' : `line ${first.line}, column ${first.column}: `;
  const more = problems.length > 1 ? ` ${problems.length - 1} more, see details.` : '';
  const message = sentence ?? `${first?.field}: expected ${first?.expected}.`;
  return new Refusal(422, 'invalid-sdl', `SDL ${place}${message}${more}`, problems);
}
