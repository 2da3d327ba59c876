import type { FileBody } from '../../client/file-content.ts';
import { ambiguousContent } from '../../store/files/trashing.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { RecordView } from '../output/record-view.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { findFile, getFile } from './find-file.ts';
import { writeFileOut } from './write-file-out.ts';

/** Prints a file of a service: its bytes, or a JSON object with its content. */
export async function printFile(
  context: ServiceCommandContext,
  { args: [text = ''] }: CommandWords,
): Promise<ExitCode> {
  const { client, output, signal, options } = context;
  const target = await findFile(text, createDeploymentFinder(client, signal));
  if (!options.json) return writeFileOut(context, target);
  const file = await getFile(context, target);
  if (file.certainty === 'ambiguous') output.note(ambiguousContent);
  return output.record(file, contentView);
}

/** A file with its content. */
const contentView: RecordView<FileBody> = {
  columns: [{ title: 'PATH', value: ({ path }) => path }],
  fields: ['path', 'size', 'modifiedAt', 'encoding', 'content'],
  json: ({ path, bytes, text, modifiedAt }) => ({
    path,
    size: bytes.length,
    ...(modifiedAt !== undefined && { modifiedAt }),
    encoding: text === undefined ? 'base64' : 'utf-8',
    content: text ?? Buffer.from(bytes).toString('base64'),
  }),
  id: ({ path }) => path,
};
