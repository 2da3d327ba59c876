import path from 'node:path';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { runVariable } from './environments.ts';

/** Variables that services inherit from the host; the others may hold secrets. */
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
 * Returns the environment of a process: inherited variables of the host, replaced by those of the
 * isolation, replaced by those of the definition, replaced by those of the run: PORT, on which the
 * service listens, and the paths of its volumes.
 */
export function serviceVariables(
  service: ServiceDefinition,
  isolated: Readonly<Record<string, string>>,
  run: {
    readonly port: number | undefined;
    readonly volumes: Readonly<Record<string, string>>;
  },
): Readonly<Record<string, string>> {
  const fromHost = Object.entries(process.env).filter(([name]) => inherited.has(name));
  // The folder of the host's own Node comes first, so that `node` is found on any machine.
  const paths = [path.dirname(process.execPath), process.env['PATH'] ?? '/usr/bin:/bin'];
  // A definition must not set the variable by which the host finds the processes of a run.
  const { [runVariable]: _, ...defined } = service.env;
  const inheritedEntries = fromHost.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(inheritedEntries),
    ...isolated,
    PATH: paths.join(path.delimiter),
    ...defined,
    ...(run.port === undefined ? {} : { PORT: String(run.port) }),
    ...run.volumes,
  };
}
