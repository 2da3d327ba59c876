import type { ExposedPort } from '../../contract/sdl/definition.ts';
import type { ContainerConfig, PortMap } from '../engine/engine-api.ts';
import { runVariable } from './environments.ts';
import { mostProcesses } from './process-count.ts';
import type { RunRequest } from './runtime.ts';

/** Where a service finds its files, which is then the folder it starts in. */
export const treeFolder = '/app';

/** Labels by which a host knows its containers and networks. */
export const labels = {
  host: 'hostdeck.host',
  run: 'hostdeck.run',
  deployment: 'hostdeck.deployment',
} as const;

/**
 * Images need these to prepare their folders, to leave root and to open low ports. None reaches
 * beyond the container's own files, processes and sockets.
 */
const capabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'KILL',
  'SETGID',
  'SETUID',
  'NET_BIND_SERVICE',
] as const;

/** What a container is made from beside its service. */
export interface ContainerParts {
  /** Id of the host, unlike that of any other on this engine. */
  readonly host: string;
  readonly run: string;
  /** Whether the tree holds anything, which is then copied over what the image has there. */
  readonly hasFiles: boolean;
  /** Ports of this machine on which the exposed ones are published, in their order. */
  readonly published: readonly number[];
  /** False where the engine can't limit the number of processes. */
  readonly limitsProcesses?: boolean | undefined;
  /** Name of the network where it is found by its service's name; else it is on the engine's own. */
  readonly network?: string | undefined;
}

/** What an engine is asked for to run an instance. */
export function containerOptions(
  { deployment, service, instance, resources }: RunRequest,
  { host, run, hasFiles, published, limitsProcesses = true, network }: ContainerParts,
): ContainerConfig {
  const { name, image, command, args, env, expose } = service;
  const [exposed] = expose;
  const variables = {
    ...env,
    ...(exposed === undefined ? {} : { PORT: String(exposed.port) }),
    [runVariable]: run,
  };
  return {
    Image: image ?? '',
    Labels: {
      [labels.host]: host,
      [labels.run]: run,
      [labels.deployment]: deployment,
      'hostdeck.service': name,
      'hostdeck.instance': String(instance),
    },
    Env: Object.entries(variables).map(([variable, value]) => `${variable}=${value}`),
    // As in the SDL: the command stands for the image's entry point, arguments for its command.
    ...(command.length > 0 ? { Entrypoint: [...command] } : {}),
    ...(args.length > 0 || command.length > 0 ? { Cmd: [...args] } : {}),
    ...(hasFiles ? { WorkingDir: treeFolder } : {}),
    ExposedPorts: Object.fromEntries(expose.map((port) => [portKey(port), {}])),
    HostConfig: {
      PortBindings: portBindings(expose, published),
      ...(resources.cpu === undefined ? {} : { NanoCpus: Math.round(resources.cpu * 1e9) }),
      ...(resources.memory === undefined ? {} : { Memory: resources.memory }),
      CapDrop: ['ALL'],
      CapAdd: capabilities,
      // Both engines take it without a value.
      SecurityOpt: ['no-new-privileges'],
      ...(limitsProcesses ? { PidsLimit: mostProcesses } : {}),
      // The host keeps what is written: a copy at the engine would grow for ever.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      ...(network === undefined ? {} : { NetworkMode: network }),
    },
    ...(network === undefined
      ? {}
      : { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: [name] } } } }),
  };
}

/** What engines list it as; the run keeps it apart from the one before. */
export function containerName({ deployment, service, instance }: RunRequest, run: string): string {
  return `hostdeck-${deployment}-${service.name}-${instance}-${run.slice(0, 8)}`;
}

function portBindings(expose: readonly ExposedPort[], published: readonly number[]): PortMap {
  const bindings: Record<string, { readonly HostIp: string; readonly HostPort: string }[]> = {};
  for (const [at, port] of expose.entries()) {
    // Only this machine gets to it, as to a process that listens on loopback.
    const binding = { HostIp: '127.0.0.1', HostPort: String(published[at] ?? 0) };
    (bindings[portKey(port)] ??= []).push(binding);
  }
  return bindings;
}

function portKey({ port, proto }: ExposedPort): string {
  return `${port}/${proto === 'udp' ? 'udp' : 'tcp'}`;
}
