import type { RequestErrorDetail } from '../../contract/detail.ts';
import type {
  SdlDefinition,
  SdlWarning,
  ServiceDefinition,
} from '../../contract/sdl/definition.ts';
import { parseSdl } from '../../contract/sdl/parse.ts';
import type { HostLimits } from '../server/limits.ts';
import { forbidden, Refusal } from '../refusal.ts';
import type { ServiceRules } from '../runtime/runtime.ts';
import { type StartRefusal, type StartRules, findStartRefusals } from './start-refusals.ts';
import { type Atoms, formatDecimal } from '../../contract/decimal.ts';

/** The rules that apply to new definitions only, besides those of each start. */
export interface AdmissionRules extends StartRules {
  readonly runtime: ServiceRules;
  /** The wallet of this host's user, whose deployments may be free. */
  readonly ownWallet: string;
  /** The first port of this machine that services may have. */
  readonly firstUserPort: number;
}

/**
 * Parses and checks the SDL of a new deployment. Parts without effect here are in its warnings.
 * Throws a 422 with the position of every mistake, and a 403 for a wallet whose deployments this
 * host doesn't run.
 */
export async function admitSdl(
  { owner, sdl }: { readonly owner: string; readonly sdl: string },
  { runtime, trust, ownWallet, firstUserPort }: AdmissionRules,
  limits: HostLimits,
): Promise<SdlDefinition> {
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw refuseSdl(parsed.problems);
  const { services } = parsed.definition;
  const refused = findStartRefusals({ runtime, trust }, { owner, services });
  const distrusted = refused.find(({ service }) => service === undefined);
  if (distrusted !== undefined) throw forbidden(distrusted.sentence);
  if (refused.length > 0) throw refuseSdl(refused.map(detailOf), refused[0]?.sentence);
  const minAmount = owner === ownWallet ? 0n : limits.minAmount;
  const exceeded = [
    ...findExceededLimits(parsed.definition, limits, minAmount),
    ...findPrivilegedPorts(services, firstUserPort),
  ];
  if (exceeded.length > 0) {
    throw refuseSdl(
      exceeded.map(({ detail }) => detail),
      exceeded[0]?.sentence,
    );
  }
  const shortages = await runtime.checkAvailability(services, sdl);
  const unavailable = services.flatMap((service) => {
    const refusal = shortages.get(service.name);
    return refusal === undefined ? [] : [{ ...refusal, service }];
  });
  if (unavailable.length > 0) {
    throw refuseSdl(unavailable.map(detailOf), unavailable[0]?.sentence);
  }
  return { ...parsed.definition, warnings: withIgnored(parsed.definition, runtime) };
}

/** Locates a refusal at the service's image if it has one, since the image selects the runtime. */
function detailOf({ service, expected }: StartRefusal): RequestErrorDetail {
  if (service === undefined) return { field: 'sdl', expected };
  const { name, image, imagePosition, position } = service;
  return image === undefined
    ? { field: `services.${name}`, expected, ...position }
    : { field: `services.${name}.image`, expected, ...(imagePosition ?? position) };
}

/** Returns the warnings of a stored deployment that may not start. */
export function refusalWarnings(refusals: readonly StartRefusal[]): readonly SdlWarning[] {
  return refusals.map((refusal) => {
    const { line = 1, column = 1 } = detailOf(refusal);
    return { line, column, message: refusal.sentence };
  });
}

/** Returns the warnings of a definition, with one for each part that the runtime ignores. */
function withIgnored(
  { warnings, parts }: SdlDefinition,
  runtime: ServiceRules,
): readonly SdlWarning[] {
  const ignored = parts
    .filter(({ name }) => runtime.ignores(name))
    .map(({ name, line, column }) => ({
      line,
      column,
      message: `${name} has no effect on this host.`,
    }));
  return sortByPosition([...warnings, ...ignored]);
}

/** Sorts warnings by their position in the SDL. */
export function sortByPosition(warnings: readonly SdlWarning[]): readonly SdlWarning[] {
  return warnings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * Returns one refusal for all mistakes; the message shows the first with its position.
 * @param sentence replaces the description of the first mistake.
 */
function refuseSdl(problems: readonly RequestErrorDetail[], sentence?: string): Refusal {
  const [first] = problems;
  const place = first?.line === undefined ? '' : `line ${first.line}, column ${first.column}: `;
  const more = problems.length > 1 ? ` ${problems.length - 1} more, see details.` : '';
  const message = sentence ?? `${first?.field}: expected ${first?.expected}.`;
  return new Refusal(422, 'invalid-sdl', `SDL ${place}${message}${more}`, problems);
}

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

/** A part of a definition that exceeds a limit of the host. */
interface ExceededLimit {
  readonly detail: RequestErrorDetail;
  /** Sentences with the limit, its flag and the remedy. */
  readonly sentence: string;
}

type Limits = Pick<HostLimits, 'servicesPerDeployment' | 'instancesPerDeployment'>;

const microsPerUnit = 1_000_000n;

/** Returns the limits of one deployment that a definition exceeds, each at its line. */
function findExceededLimits(
  { services, placements }: Pick<SdlDefinition, 'services' | 'placements'>,
  { servicesPerDeployment, instancesPerDeployment }: Limits,
  minAmount: Atoms,
): readonly ExceededLimit[] {
  const exceeded: ExceededLimit[] = [];
  const surplus = services[servicesPerDeployment];
  if (surplus !== undefined) {
    const { name, position } = surplus;
    const expected = `at most ${servicesPerDeployment} services`;
    exceeded.push({
      detail: { field: `services.${name}`, expected, ...position },
      sentence:
        `The definition has ${services.length} services, and a deployment on this host may have ` +
        `${servicesPerDeployment} (--max-services). Split it into several deployments.`,
    });
  }
  let instances = 0;
  const over = services.find(({ count }) => (instances += count) > instancesPerDeployment);
  if (over !== undefined) {
    const total = services.reduce((sum, { count }) => sum + count, 0);
    const expected = `at most ${instancesPerDeployment} instances`;
    exceeded.push({
      detail: { field: `deployment.${over.name}`, expected, ...over.position },
      sentence:
        `The definition has ${total} instances, and a deployment on this host may have ` +
        `${instancesPerDeployment} (--max-instances). Lower a count.`,
    });
  }
  for (const { service, amount, position } of placements) {
    if (amount >= minAmount) continue;
    const least = formatDecimal(minAmount * microsPerUnit);
    exceeded.push({
      detail: {
        field: `pricing.${service}`,
        expected: `an amount of at least ${least}`,
        ...position,
      },
      sentence:
        `Service ${service} has an amount of ${formatDecimal(amount * microsPerUnit)}, and this ` +
        `host asks for at least ${least} for an instance (--min-amount). Raise the amount.`,
    });
  }
  return exceeded;
}
