import type { ExposedPort } from '../../contract/sdl/definition.ts';
import { serviceFolder } from '../../contract/sdl/mount-path.ts';
import { volumeVariable } from '../../contract/sdl/volumes.ts';
import type { ContainerConfig, PortMap } from '../engine/engine-api.ts';
import { ownStorage } from '../volumes/own-storage.ts';
import { labels } from './container-labels.ts';
import { volumeOptions } from './container-volumes.ts';
import { runVariable } from './environments.ts';
import { maxProcesses, type RunRequest } from './runtime.ts';

/**
 * Images need these to prepare their folders, to leave root and to open low ports. None reaches
 * beyond the container's own files, processes and sockets.
 */
export const capabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'KILL',
  'SETGID',
  'SETUID',
  'NET_BIND_SERVICE',
] as const;

/** Options of a container that do not come from its service. */
export interface ContainerParts {
  /** Id of the host, unique on the engine. */
  readonly host: string;
  readonly run: string;
  /** True when the tree has files, which are copied over those of the image. */
  readonly hasFiles: boolean;
  /** Ports of this machine that publish the exposed ports, in the same order. */
  readonly published: readonly number[];
  /** False where the engine can't limit the number of processes. */
  readonly limitsProcesses?: boolean | undefined;
  /** False where the engine can't limit the storage of a container. */
  readonly limitsStorage?: boolean | undefined;
  /** Name of the network that resolves its service's name; undefined for the engine's default. */
  readonly network?: string | undefined;
}

/** Returns the body of `ContainerCreate` for an instance. */
export function containerOptions(
  request: RunRequest,
  {
    host,
    run,
    hasFiles,
    published,
    limitsProcesses = true,
    limitsStorage = true,
    network,
  }: ContainerParts,
): ContainerConfig {
  const { deployment, service, instance, resources, volumes = [] } = request;
  const mounted = volumeOptions(host, request);
  const storage = ownStorage(resources.storage, volumes);
  const { name, image, command, args, env, expose } = service;
  const [exposed] = expose;
  const variables = {
    ...env,
    ...(exposed === undefined ? {} : { PORT: String(exposed.port) }),
    ...Object.fromEntries(volumes.map((each) => [volumeVariable(each.name), each.mount])),
    [runVariable]: run,
  };
  return {
    Image: image ?? '',
    Labels: {
      [labels.host]: host,
      [labels.run]: run,
      [labels.deployment]: deployment,
      [labels.service]: name,
      [labels.instance]: String(instance),
    },
    Env: Object.entries(variables).map(([variable, value]) => `${variable}=${value}`),
    // The SDL's command replaces the image's entry point, its arguments the image's command.
    ...(command.length > 0 ? { Entrypoint: [...command] } : {}),
    ...(args.length > 0 || command.length > 0 ? { Cmd: [...args] } : {}),
    ...mounted.config,
    ...(hasFiles ? { WorkingDir: serviceFolder } : {}),
    ExposedPorts: Object.fromEntries(expose.map((port) => [portKey(port), {}])),
    HostConfig: {
      PortBindings: portBindings(expose, published),
      ...(resources.cpu === undefined ? {} : { NanoCpus: Math.round(resources.cpu * 1e9) }),
      ...(resources.memory === undefined ? {} : { Memory: resources.memory }),
      ...(storage !== undefined && limitsStorage ? { StorageOpt: { size: String(storage) } } : {}),
      CapDrop: ['ALL'],
      CapAdd: capabilities,
      // Docker and Podman both accept the option without a value.
      SecurityOpt: ['no-new-privileges'],
      ...(limitsProcesses ? { PidsLimit: maxProcesses } : {}),
      // The host stores the output; a copy in the engine would grow without a bound.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      ...(network === undefined ? {} : { NetworkMode: network }),
      ...mounted.hostConfig,
    },
    ...(network === undefined
      ? {}
      : { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: [name] } } } }),
  };
}

/** Returns the container's name, which the run id makes unique among the instance's runs. */
export function containerName({ deployment, service, instance }: RunRequest, run: string): string {
  return `hostdeck-${deployment}-${service.name}-${instance}-${run.slice(0, 8)}`;
}

function portBindings(expose: readonly ExposedPort[], published: readonly number[]): PortMap {
  const bindings: Record<string, { readonly HostIp: string; readonly HostPort: string }[]> = {};
  for (const [at, port] of expose.entries()) {
    // Reachable from this machine only, like a process that listens on loopback.
    const binding = { HostIp: '127.0.0.1', HostPort: String(published[at] ?? 0) };
    (bindings[portKey(port)] ??= []).push(binding);
  }
  return bindings;
}

function portKey({ port, proto }: ExposedPort): string {
  return `${port}/${proto === 'udp' ? 'udp' : 'tcp'}`;
}
