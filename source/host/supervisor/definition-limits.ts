import type { RequestErrorDetail } from '../../contract/detail.ts';
import { type Atoms, formatDecimal } from '../../contract/decimal.ts';
import type { SdlDefinition } from '../../contract/sdl/definition.ts';
import type { HostLimits } from '../server/limits.ts';

/** A part of a definition that exceeds a limit of the host. */
export interface ExceededLimit {
  readonly detail: RequestErrorDetail;
  /** Sentences with the limit, its flag and the remedy. */
  readonly sentence: string;
}

type Limits = Pick<HostLimits, 'servicesPerDeployment' | 'instancesPerDeployment'>;

const microsPerUnit = 1_000_000n;

/** Returns the limits of one deployment that a definition exceeds, each at its line. */
export function findExceededLimits(
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
