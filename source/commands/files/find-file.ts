/** Finds the file that a command names as `NAME/SERVICE:PATH`. */
import type { FilesClient } from '../../client/files.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import { type CommandProblem, requestProblem, usageProblem } from '../command-problem.ts';
import type { DeploymentFinder } from '../names/find-deployment.ts';
import { findService, type FoundService } from '../names/find-service.ts';
import { type NamedService, nextCommand } from '../output/next-command.ts';
import { joinServicePath } from '../names/service-path.ts';

/** A service whose files a command reads or writes. */
export interface ServicePlace {
  readonly deployment: Deployment;
  readonly service: string;
  /** `NAME/SERVICE`, for messages and for other commands. */
  readonly label: string;
  /** False where only the beginning of the deployment's name or id was typed. */
  readonly isExact: boolean;
}

/** A file of a service. */
export interface FileTarget {
  readonly place: ServicePlace;
  readonly path: string;
  /** `NAME/SERVICE:PATH`. */
  readonly label: string;
}

/** A file that was found, or why not. */
export type FoundFile =
  | { readonly ok: true; readonly target: FileTarget }
  | { readonly ok: false; readonly problem: CommandProblem };

/**
 * Finds the service of a file; whether there is a file with this path is not known yet.
 * @param needsExact true for a write that nobody confirms.
 */
export async function findFile(
  text: string,
  finder: DeploymentFinder,
  needsExact = false,
): Promise<FoundFile> {
  const found = await findService(text, finder, { path: 'required', needsExact });
  if (!found.ok) return found;
  const { path = '' } = found;
  const problem = pathProblem(path);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, target: fileIn(servicePlaceOf(found), path) };
}

/** Returns the service that was found as a place of files. */
export function servicePlaceOf(found: Extract<FoundService, { ok: true }>): ServicePlace {
  const { deployment, service, isExact } = found;
  const label = joinServicePath({
    deployment: deploymentLabel(deployment),
    service,
    path: undefined,
  });
  return { deployment, service, label, isExact };
}

export function fileIn(place: ServicePlace, path: string): FileTarget {
  return { place, path, label: `${place.label}:${path}` };
}

/** Returns the fields of a file in the JSON of results. */
export function targetJson({
  place: { deployment, service },
  path,
}: FileTarget): Readonly<Record<string, unknown>> {
  return { id: deployment.id, service, path };
}

/** Returns the problem of a path that no request can name; undefined for every other path. */
export function pathProblem(path: string): CommandProblem | undefined {
  if (isRequestablePath(path)) return undefined;
  return usageProblem(
    `No URL can address the path ${path === '' ? '""' : path}. Nothing was sent.`,
    'A path has no empty, "." or ".." part.',
  );
}

/** Returns the problem of a failed request about a file. */
export function fileProblem(
  context: NamedService,
  target: FileTarget,
  error: ServiceError,
): CommandProblem {
  const list = nextCommand(context, `files list ${target.place.label}`);
  const problem = requestProblem(error, list);
  if (error.code !== 'not-found')
    return { ...problem, sentence: `${target.label}: ${problem.sentence}` };
  const status = error.status === undefined ? '' : ` (${error.status})`;
  return {
    ...problem,
    sentence: `${target.label}: not found${status}.`,
    next: `${list} shows the files.`,
  };
}

/** Requests the files of a service. */
export function listPlace(
  client: Pick<FilesClient, 'list'>,
  { deployment, service }: ServicePlace,
  signal: AbortSignal,
): ReturnType<FilesClient['list']> {
  return client.list(deployment.id, service, signal);
}

/** Returns the problem of a failed request about the files of a service. */
export function placeProblem(
  context: NamedService,
  { label }: ServicePlace,
  { error }: Extract<Result<unknown>, { ok: false }>,
): CommandProblem {
  const problem = requestProblem(error, nextCommand(context, `files list ${label}`));
  return { ...problem, sentence: `${label}: ${problem.sentence}` };
}
