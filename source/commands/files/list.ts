import { usageProblem, notFoundProblem } from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import { findService } from '../names/find-service.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { filesUnder, fileView } from './file-view.ts';
import { servicePlaceOf, listPlace, placeProblem } from './find-file.ts';

/** Prints the files of a service, or those of a folder of it. */
export async function printFiles(
  context: ServiceCommandContext,
  { args: [text = '', pathWord] }: CommandWords,
): Promise<ExitCode> {
  const { client, output, signal, isTerminal } = context;
  const finder = createDeploymentFinder(client, signal);
  const found = await findService(text, finder, { path: 'optional' });
  if (!found.ok) return output.fail(found.problem);
  if (found.path !== undefined && pathWord !== undefined) {
    return output.fail(usageProblem(`${text} and ${pathWord} are two paths. Give one of them.`));
  }
  const path = pathWord ?? found.path ?? '';
  const place = servicePlaceOf(found);
  const listed = await listPlace(client.files, place, signal);
  if (!listed.ok) return output.fail(placeProblem(context, place, listed));
  const files = filesUnder(listed.value, path);
  if (files.length === 0 && path !== '') {
    return output.fail(
      notFoundProblem(
        `${place.label} lists no file ${path}.`,
        `hostdeck files list ${place.label} shows the files.`,
      ),
    );
  }
  if (files.length === 0 && isTerminal) output.note(`${place.label} has no files.`);
  return output.list(files, fileView);
}
