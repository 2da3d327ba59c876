import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ExceededLimit } from './definition-limits.ts';

/**
 * Returns the ports that commands are to listen on although the system keeps them from users, each
 * at its line. Containers have ports of their own.
 * @param firstPort the first port that users may have.
 */
export function findPrivilegedPorts(
  services: readonly ServiceDefinition[],
  firstPort: number,
): readonly ExceededLimit[] {
  return services.flatMap(({ name, image, expose, position }) =>
    (image === undefined ? expose : [])
      .filter(({ port }) => port < firstPort)
      .map(({ port, position: portPosition = position }) => ({
        detail: {
          field: `services.${name}.expose`,
          expected: `a port of ${firstPort} or above`,
          ...portPosition,
        },
        sentence:
          `Service ${name} listens on port ${port}, and this system keeps ports below ${firstPort} ` +
          '(net.ipv4.ip_unprivileged_port_start) from users. Listen on a higher port, and name ' +
          `${port} with "as" where callers expect it.`,
      })),
  );
}
