import path from 'node:path';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { runVariable } from './environments.ts';

/** Variables that services inherit from the host; secrets among the rest are not theirs. */
const inherited = new Set([
  'HOME',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_MONETARY',
  'LC_NUMERIC',
  'LC_TIME',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TZ',
  'USER',
]);

/**
 * Returns the environment of a process: a little of the host's, in its place what the isolation
 * gives, and above all what the definition sets.
 *
 * @param port where it shall listen, as PORT.
 */
export function serviceVariables(
  service: ServiceDefinition,
  isolated: Readonly<Record<string, string>>,
  port: number | undefined,
): Readonly<Record<string, string>> {
  const own = Object.entries(process.env).filter(([name]) => inherited.has(name));
  // The Node that runs the host comes first, so that `node` is there on a machine without one.
  const paths = [path.dirname(process.execPath), process.env['PATH'] ?? '/usr/bin:/bin'];
  // The mark by which the host finds the processes of a run is not the definition's to set.
  const { [runVariable]: _, ...wanted } = service.env;
  const known = own.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(known),
    ...isolated,
    PATH: paths.join(path.delimiter),
    ...wanted,
    ...(port === undefined ? {} : { PORT: String(port) }),
  };
}
