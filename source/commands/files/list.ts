import { CommandFailure, notFoundProblem, usageProblem } from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import { findService } from '../names/find-service.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { listPlace, servicePlaceOf } from './find-file.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { ageSince } from '../../store/time/age.ts';
import { recordJson, type RecordView } from '../output/record-view.ts';

/** Prints the files of a service, or those of a folder of it. */
export async function printFiles(
  context: ServiceCommandContext,
  { args: [text = '', pathWord] }: CommandWords,
): Promise<ExitCode> {
  const { client, output, signal, isTerminal } = context;
  const finder = createDeploymentFinder(client, signal);
  const found = await findService(text, finder, { path: 'optional' });
  if (found.path !== undefined && pathWord !== undefined) {
    const sentence = `${text} and ${pathWord} are two paths. Give one of them.`;
    throw new CommandFailure(usageProblem(sentence));
  }
  const path = pathWord ?? found.path ?? '';
  const place = servicePlaceOf(found);
  const files = filesUnder(await listPlace(context, place), path);
  if (files.length === 0 && path !== '') {
    throw new CommandFailure(
      notFoundProblem(
        `${place.label} lists no file ${path}.`,
        `hostdeck files list ${place.label} shows the files.`,
      ),
    );
  }
  if (files.length === 0 && isTerminal) output.note(`${place.label} has no files.`);
  return output.list(files, fileView);
}

type Read = DecodedRecord<FileRecord>;

/** Returns the path; that of a folder ends with a slash. */
function shownPath({ value: { path, directory } }: Read): string {
  return directory === true ? `${path}/` : path;
}

/** Files as `files list` prints them. */
export const fileView: RecordView<Read> = {
  columns: [
    { title: 'PATH', value: shownPath },
    {
      title: 'SIZE',
      value: ({ value: { size } }) => (size === undefined ? undefined : String(size)),
      shown: ({ value: { size } }) => (size === undefined ? undefined : formatBytes(size)),
      align: 'right',
      isOptional: true,
    },
    {
      title: 'MODIFIED',
      value: ({ value }) => value.modifiedAt,
      shown: ({ value }, now) => ageSince(value.modifiedAt, now),
      isOptional: true,
    },
  ],
  fields: ['path', 'size', 'modifiedAt', 'directory'],
  json: recordJson,
  id: shownPath,
};

/** Returns the files at a path and below it, in the order of their paths; all for an empty path. */
export function filesUnder(files: readonly Read[], path: string): readonly Read[] {
  const folder = path.replace(/\/+$/, '');
  const found = files.filter(
    ({ value }) => folder === '' || value.path === folder || value.path.startsWith(`${folder}/`),
  );
  const keys = new Map(found.map((file) => [file, orderKey(file.value.path)]));
  return found.toSorted((left, right) =>
    (keys.get(left) ?? '') < (keys.get(right) ?? '') ? -1 : 1,
  );
}

/** Returns a key that sorts the files of a folder together, before names that begin with its name. */
function orderKey(path: string): string {
  return path.replaceAll('/', '\0');
}
