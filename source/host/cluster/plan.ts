import { createHash } from 'node:crypto';
import type { ExposedPort, VolumeDefinition } from '../../contract/sdl/definition.ts';
import { serviceFolder } from '../../contract/sdl/mount-path.ts';
import { volumeVariable } from '../../contract/sdl/volumes.ts';
import { objectFields } from '../engine/fields.ts';
import type { EngineService, ServiceMount, ServiceSpec } from '../engine/swarm-api.ts';
import { capabilities } from '../runtime/container-options.ts';
import { maxProcesses } from '../runtime/runtime.ts';
import { clusterLabels } from './cluster-labels.ts';
import type { StoredImage } from './image-store.ts';
import { hasPersistentVolumes, partName, type ServicePart } from './service-parts.ts';

/** A service of a deployment, as it is to run on a cluster. */
export interface PlannedService extends ServicePart {
  /** Id of the host, unique on the cluster. */
  readonly host: string;
  /** Id and number of the deployment. */
  readonly deployment: string;
  readonly number: number;
  /** Image with its digest. */
  readonly image: string;
  /** True for an image with files in {@link serviceFolder}. */
  readonly hasFiles: boolean;
  readonly generation: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Part of a limit that is not reserved: 2 runs twice as much as a node has. */
  readonly overcommit: number;
}

/** The version of a service that ran before the present one. */
export interface VersionBefore extends StoredImage {
  readonly generation: number;
}

/** Time after a start in which the end of an instance stops the replacement of the others. */
const monitorMs = 5000;

const nanosecondsPerMs = 1e6;

/** Pause before a task that ended is replaced. */
const restartDelayMs = 1000;

/** Longest name of a service on a swarm. */
const maxNameLength = 63;

/** Returns the name of a deployment's network. */
export function networkName(host: string, number: number): string {
  return `hostdeck-${host.slice(0, 8)}-${number}`;
}

/** Returns the specification of the engine's service for a service of a deployment. */
export function planService(planned: PlannedService): ServiceSpec {
  const { host, deployment, number, service, placement, constraints, offset, generation } = planned;
  const identity = {
    [clusterLabels.host]: host,
    [clusterLabels.deployment]: deployment,
    [clusterLabels.service]: service.name,
    ...(placement === undefined ? {} : { [clusterLabels.placement]: placement }),
    ...(offset === 0 ? {} : { [clusterLabels.offset]: String(offset) }),
    // A restart without changed files is one for the engine as well.
    [clusterLabels.generation]: String(generation),
  };
  const spec = {
    Name: serviceName(networkName(host, number), partName(planned)),
    TaskTemplate: {
      ContainerSpec: containerOf(planned, identity),
      Resources: resourcesOf(planned),
      // An instance is restarted whenever it ends, as on one machine.
      RestartPolicy: { Condition: 'any', Delay: restartDelayMs * nanosecondsPerMs },
      Placement: { Constraints: constraints },
      Networks: [{ Target: networkName(host, number), Aliases: [service.name] }],
      LogDriver: { Name: 'json-file', Options: { 'max-size': '10m', 'max-file': '3' } },
    },
    Mode: { Replicated: { Replicas: service.count } },
    EndpointSpec: { Mode: 'dnsrr', Ports: publishedPorts(service.expose) },
  } as const;
  const plan = createHash('sha256').update(JSON.stringify(spec)).digest('hex');
  const Labels = { ...identity, [clusterLabels.plan]: plan };
  // Two instances can't have one volume.
  const Order = hasPersistentVolumes(service) ? 'stop-first' : 'start-first';
  return { ...spec, UpdateConfig: { Parallelism: 1, Order, FailureAction: 'continue' }, Labels };
}

/**
 * Returns the specification that replaces the instances of a version that is known to run: the
 * replacement stops at the first one that fails, and the service remembers the version before.
 */
export function guardPlan(spec: ServiceSpec, before: VersionBefore | undefined): ServiceSpec {
  const label: Readonly<Record<string, string>> =
    before === undefined ? {} : { [clusterLabels.before]: JSON.stringify(before) };
  return {
    ...spec,
    UpdateConfig: {
      ...spec.UpdateConfig,
      FailureAction: 'pause',
      Monitor: monitorMs * nanosecondsPerMs,
    },
    Labels: { ...spec.Labels, ...label },
  };
}

/**
 * Returns the specification of one more instance, which shows whether a version starts while the one
 * before runs on. Nothing reaches it by a name or a published port.
 */
export function planTrial(planned: PlannedService): ServiceSpec {
  const { host, number, service } = planned;
  const spec = planService({ ...planned, service: { ...service, count: 1 } });
  const { ContainerSpec } = spec.TaskTemplate;
  const network = networkName(host, number);
  const mark = { [clusterLabels.trial]: 'true' };
  return {
    ...spec,
    Name: serviceName(network, `${partName(planned)} (trial)`),
    TaskTemplate: {
      ...spec.TaskTemplate,
      ContainerSpec: { ...ContainerSpec, Labels: { ...ContainerSpec.Labels, ...mark } },
      Networks: [{ Target: network, Aliases: [] }],
    },
    EndpointSpec: { ...spec.EndpointSpec, Ports: [] },
    Labels: { ...spec.Labels, ...mark },
  };
}

function containerOf(
  planned: PlannedService,
  identity: Readonly<Record<string, string>>,
): ServiceSpec['TaskTemplate']['ContainerSpec'] {
  const { service, image, offset, hasFiles, graceMs } = planned;
  const { command, args, env, expose, volumes = [] } = service;
  const mounts = mountsOf(planned);
  const [exposed] = expose;
  const variables = {
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, literal(value)])),
    HOSTDECK_INSTANCE: instanceTemplate(offset, service.count),
    ...(exposed === undefined ? {} : { PORT: String(exposed.port) }),
    ...Object.fromEntries(volumes.map(({ name, mount }) => [volumeVariable(name), mount])),
  };
  return {
    Image: image,
    Labels: identity,
    ...(command.length > 0 ? { Command: command } : {}),
    ...(args.length > 0 ? { Args: args } : {}),
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    ...(hasFiles ? { Dir: serviceFolder } : {}),
    ...(mounts.length === 0 ? {} : { Mounts: mounts }),
    StopGracePeriod: graceMs * nanosecondsPerMs,
    CapabilityDrop: ['ALL'],
    CapabilityAdd: capabilities,
  };
}

/** Returns what the engine turns into the number of an instance: it knows replicas, and can't add. */
function instanceTemplate(offset: number, count: number): string {
  if (offset === 0) return '{{.Task.Slot}}';
  return Array.from({ length: count }, (_, index) => {
    const slot = index + 1;
    return `{{if eq .Task.Slot "${slot}"}}${offset + slot}{{end}}`;
  }).join('');
}

function resourcesOf({
  resources: { cpu, memory },
  overcommit,
}: PlannedService): ServiceSpec['TaskTemplate']['Resources'] {
  const share = (divisor: number) => ({
    ...(cpu === undefined ? {} : { NanoCPUs: Math.round((cpu * 1e9) / divisor) }),
    ...(memory === undefined ? {} : { MemoryBytes: Math.round(memory / divisor) }),
  });
  return { Limits: { ...share(1), Pids: maxProcesses }, Reservations: share(overcommit) };
}

/** Ports for callers of the deployment; its own services reach each other without. */
function publishedPorts(expose: readonly ExposedPort[]): ServiceSpec['EndpointSpec']['Ports'] {
  return expose
    .filter(({ global }) => global)
    .map(({ port, proto }) => ({
      Protocol: proto === 'udp' ? 'udp' : 'tcp',
      TargetPort: port,
      PublishMode: 'host',
    }));
}

/** Returns the image of a service as it was planned. */
export function storedImageOf({ spec }: EngineService): StoredImage {
  const { ContainerSpec } = objectFields(spec['TaskTemplate']);
  const { Image, Dir } = objectFields(ContainerSpec);
  return { reference: String(Image), hasFiles: Dir === serviceFolder };
}

/** Returns the generation of a service as it was planned. */
export function generationOf({ labels }: Pick<EngineService, 'labels'>): number {
  return Number(labels[clusterLabels.generation]);
}

/** Returns true for a service, or a task, of one more instance beside those of the definition. */
export function isTrial({ labels }: Pick<EngineService, 'labels'>): boolean {
  return labels[clusterLabels.trial] !== undefined;
}

/** Returns the version that ran before the present one of a service, where that is known. */
export function versionBefore({
  labels,
}: Pick<EngineService, 'labels'>): VersionBefore | undefined {
  const text = labels[clusterLabels.before];
  return text === undefined ? undefined : (JSON.parse(text) as VersionBefore);
}

/** Escapes a value that the engine would expand as a template. */
function literal(value: string): string {
  return value.replaceAll('{{', '{{`{{`}}');
}

/** Returns a name that the engine accepts; the digest keeps a changed one unique. */
function serviceName(network: string, service: string): string {
  const name = `${network}-${service}`;
  const accepted = name.replaceAll(/[^a-zA-Z0-9-]/g, '-');
  if (accepted === name && name.length <= maxNameLength && !name.endsWith('-')) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${accepted.slice(0, maxNameLength - 9)}-${digest}`;
}

/** A part of a service, and what makes the names of its volumes unique on the cluster. */
interface MountingPart extends ServicePart {
  /** Id of the host. */
  readonly host: string;
  /** Id of the deployment. */
  readonly deployment: string;
}

/** Mode of a folder in memory that every user of the image may write. */
const writableByAll = 0o1777;

/** Returns the mounts of the instances of a service. Each instance has volumes of its own. */
function mountsOf(planned: MountingPart): readonly ServiceMount[] {
  return (planned.service.volumes ?? []).map((volume) => mountOf(planned, volume));
}

function mountOf(planned: MountingPart, volume: VolumeDefinition): ServiceMount {
  const { mount, kind, readOnly, size } = volume;
  const target = { Target: mount, ReadOnly: readOnly };
  if (kind === 'persistent') return { Type: 'volume', ...target, ...named(planned, volume) };
  // An unnamed volume ends with its task.
  if (kind === 'temporary' && !readOnly) return { Type: 'volume', ...target };
  const limit = size === undefined ? {} : { SizeBytes: size };
  return { Type: 'tmpfs', ...target, TmpfsOptions: { ...limit, Mode: writableByAll } };
}

/** Returns what names a volume; the engine fills in the number of the replica. */
function named(
  planned: MountingPart,
  { name }: VolumeDefinition,
): Pick<ServiceMount, 'Source' | 'VolumeOptions'> {
  const { host, deployment, service } = planned;
  const digest = createHash('sha256')
    .update(JSON.stringify([host, deployment, partName(planned), name]))
    .digest('hex');
  return {
    Source: `hostdeck-${deployment}-${digest.slice(0, 16)}-{{.Task.Slot}}`,
    VolumeOptions: {
      Labels: {
        [clusterLabels.host]: host,
        [clusterLabels.deployment]: deployment,
        [clusterLabels.service]: service.name,
        [clusterLabels.volume]: name,
      },
    },
  };
}
