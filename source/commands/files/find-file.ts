/** Finds the file that a command names as `NAME/SERVICE:PATH`. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileBody } from '../../client/file-content.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import {
  CommandFailure,
  type CommandProblem,
  requestedValue,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import type { DeploymentFinder } from '../names/find-deployment.ts';
import { findService, type FoundService } from '../names/find-service.ts';
import { type NamedService, nextCommand } from '../output/next-command.ts';
import { joinServicePath } from '../names/service-path.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';

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

/**
 * Finds the service of a file; whether there is a file with this path is not known yet. Rejects with a
 * `CommandFailure` where there is no such service.
 * @param needsExact true for a write that nobody confirms.
 */
export async function findFile(
  text: string,
  finder: DeploymentFinder,
  needsExact = false,
): Promise<FileTarget> {
  const found = await findService(text, finder, { path: 'required', needsExact });
  const { path = '' } = found;
  assertPath(path);
  return fileIn(servicePlaceOf(found), path);
}

/** Returns the service that was found as a place of files. */
export function servicePlaceOf({ deployment, service, isExact }: FoundService): ServicePlace {
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

/** Throws a {@link CommandFailure} for a path that no request can name. */
export function assertPath(path: string): void {
  if (isRequestablePath(path)) return;
  throw new CommandFailure(
    usageProblem(
      `No URL can address the path ${path === '' ? '""' : path}. Nothing was sent.`,
      'A path has no empty, "." or ".." part.',
    ),
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

/** Requests the files of a service. Rejects with a {@link CommandFailure} where that fails. */
export async function listPlace(
  context: ServiceCommandContext,
  place: ServicePlace,
): Promise<readonly DecodedRecord<FileRecord>[]> {
  const { client, signal } = context;
  const listed = await client.files.list(place.deployment.id, place.service, signal);
  return requestedValue(listed, (error) => placeProblem(context, place, error));
}

/** Requests a file. Rejects with a {@link CommandFailure} where that fails. */
export async function getFile(
  context: ServiceCommandContext,
  target: FileTarget,
): Promise<FileBody> {
  const { client, signal } = context;
  const { place, path } = target;
  const got = await client.files.get(place.deployment.id, place.service, path, signal);
  return requestedValue(got, (error) => fileProblem(context, target, error));
}

/** Returns the problem of a failed request about the files of a service. */
export function placeProblem(
  context: NamedService,
  { label }: ServicePlace,
  error: ServiceError,
): CommandProblem {
  const problem = requestProblem(error, nextCommand(context, `files list ${label}`));
  return { ...problem, sentence: `${label}: ${problem.sentence}` };
}
