import type { Detail } from '../../contract/detail.ts';
import type { Definition, SdlWarning } from '../../contract/sdl/definition.ts';
import { parseSdl } from '../../contract/sdl/parse.ts';
import type { Limits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { Runtime } from '../runtime/runtime.ts';

/**
 * Reads an SDL that is to be run here. What does not keep it from running is in its warnings.
 * Throws a 422 that names every mistake with its place.
 */
export function admitSdl(sdl: string, runtime: Runtime, limits: Limits): Definition {
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw refuseSdl(parsed.problems);
  const { services } = parsed.definition;
  const problems = services.flatMap((service): readonly Detail[] => {
    const expected = runtime.refusal(service);
    if (expected === undefined) return [];
    return [{ field: `services.${service.name}`, expected, ...service.position }];
  });
  const instances = services.reduce((sum, service) => sum + service.count, 0);
  if (instances > limits.instances) {
    problems.push({ field: 'deployment', expected: `at most ${limits.instances} instances` });
  }
  if (problems.length > 0) throw refuseSdl(problems);
  return { ...parsed.definition, warnings: withIgnored(parsed.definition, runtime) };
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
  return [...warnings, ...ignored].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** One answer for all mistakes; the message shows the first with its place. */
function refuseSdl(problems: readonly Detail[]): Refusal {
  const [first] = problems;
  const place = first?.line === undefined ? '' : `line ${first.line}, column ${first.column}: `;
  const more = problems.length > 1 ? ` ${problems.length - 1} more, see details.` : '';
  return new Refusal(
    422,
    'invalid-sdl',
    `SDL ${place}${first?.field}: expected ${first?.expected}.${more}`,
    problems,
  );
}
