/** Finds the service of a deployment that a command names as `NAME/SERVICE:PATH`. */
import type { Deployment } from '../../contract/deployments.ts';
import { formatSuggestion } from '../../contract/sdl/near-name.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import {
  CommandFailure,
  type CommandProblem,
  failureOr,
  notFoundProblem,
  usageProblem,
} from '../command-problem.ts';
import type { DeploymentFinder, FoundDeployment } from './find-deployment.ts';
import { type ServicePath, splitServicePath } from './service-path.ts';

/** A service that was found. */
export interface FoundService {
  readonly deployment: Deployment;
  readonly service: string;
  /** Path as typed; undefined where none was typed. */
  readonly path: string | undefined;
  /** False where only the beginning of the deployment's name or id was typed. */
  readonly isExact: boolean;
}

export interface ServiceQuery {
  /** Whether a path must, may or must not follow the service. */
  readonly path: 'required' | 'optional' | 'none';
  /** True for a write that nobody confirms: the beginning of a name is then refused. */
  readonly needsExact?: boolean;
}

interface Reading {
  readonly split: ServicePath;
  readonly found: FoundDeployment;
}

/**
 * Finds the service that a text names. Rejects with a `CommandFailure` where there is none, and where
 * the text could mean services of two deployments.
 */
export async function findService(
  text: string,
  finder: DeploymentFinder,
  { path, needsExact = false }: ServiceQuery,
): Promise<FoundService> {
  const splits = splitServicePath(text).filter((split) => fits(split, path));
  const [first] = splits;
  if (first === undefined) throw new CommandFailure(formProblem(text, path));
  const readings: Reading[] = [];
  const failures: CommandFailure[] = [];
  for (const split of splits) {
    const found = await failureOr(finder.find(split.deployment, needsExact));
    if (found instanceof CommandFailure) failures.push(found);
    else readings.push({ split, found });
  }
  const [reading, ...others] = mostLikely(readings);
  if (reading === undefined) {
    const ambiguous = failures.find(({ problem: { candidates = [] } }) => candidates.length > 0);
    throw ambiguous ?? failures[0] ?? new CommandFailure(formProblem(text, path));
  }
  if (others.length > 0) throw new CommandFailure(severalReadings(text, [reading, ...others]));
  const { split, found } = reading;
  const { deployment, isExact } = found;
  if (!hasService(reading)) throw new CommandFailure(noService(deployment, split.service));
  return { deployment, service: split.service, path: split.path, isExact };
}

function fits(split: ServicePath, path: ServiceQuery['path']): boolean {
  if (path === 'required') return split.path !== undefined && split.path !== '';
  return path === 'optional' || split.path === undefined;
}

/** Returns the readings with a service that exists, else all; whole names come before beginnings. */
function mostLikely(readings: readonly Reading[]): readonly Reading[] {
  const existing = readings.filter(hasService);
  const likely = existing.length > 0 ? existing : readings;
  const exact = likely.filter(({ found }) => found.isExact);
  return exact.length > 0 ? exact : likely;
}

/** Whether the deployment has the service, as far as the service tells its services. */
function hasService({ split, found }: Reading): boolean {
  const { services } = found.deployment;
  return services.length === 0 || services.some(({ name }) => name === split.service);
}

const forms = {
  required: 'NAME/SERVICE:PATH',
  optional: 'NAME/SERVICE or NAME/SERVICE:PATH',
  none: 'NAME/SERVICE',
} as const;

const examples = {
  required: 'shop/web:config/app.yaml',
  optional: 'shop/web:config',
  none: 'shop/web',
} as const;

function formProblem(text: string, path: ServiceQuery['path']): CommandProblem {
  return usageProblem(`${text} is not ${forms[path]}.`, `For example: ${examples[path]}.`);
}

function severalReadings(text: string, readings: readonly Reading[]): CommandProblem {
  return {
    ...usageProblem(
      `${text} can mean a service of ${readings.length} deployments.`,
      'Use one of these ids as NAME:',
    ),
    candidates: readings.map(({ found }) => ({
      id: found.deployment.id,
      name: found.deployment.name,
    })),
  };
}

function noService(deployment: Deployment, service: string): CommandProblem {
  const names = deployment.services.map(({ name }) => name);
  return notFoundProblem(
    `${deploymentLabel(deployment)} has no service ${service}.${formatSuggestion(service, names)}`,
    `Its services: ${names.join(', ')}.`,
  );
}
