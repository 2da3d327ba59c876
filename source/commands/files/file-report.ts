/** The results of commands that write files of services, and their printed form. */
import { formatBytes } from '../../store/files/file-size.ts';
import type { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { problemJson } from '../output/problem-text.ts';
import type { RecordView } from '../output/record-view.ts';
import { type FileTarget, targetJson } from './find-file.ts';

/** The result for one file that a command writes. */
export interface FileReport {
  readonly target: FileTarget;
  /** Past participle of the action, `would be ...`, `unchanged`, `failed`, `unknown` or `not sent`. */
  readonly result: string;
  /** Earlier path of a renamed file. */
  readonly from?: string | undefined;
  /** Bytes, where the command knows them. */
  readonly size?: number | undefined;
  readonly problem?: CommandProblem | undefined;
}

/** Returns the result of a file whose request failed. */
export function failedReport(
  target: FileTarget,
  problem: CommandProblem,
  more: Pick<FileReport, 'from' | 'size'> = {},
): FileReport {
  const isUnknown = problem.exit === exitCodes.unknownOutcome;
  return { target, result: isUnknown ? 'unknown' : 'failed', problem, ...more };
}

/** Results as commands print them. */
export const fileReportView: RecordView<FileReport> = {
  columns: [
    { title: 'RESULT', value: ({ result }) => result },
    { title: 'FILE', value: ({ target }) => target.label },
    { title: 'FROM', value: ({ from }) => from, isShrinkable: true },
    {
      title: 'SIZE',
      value: ({ size }) => (size === undefined ? undefined : String(size)),
      shown: ({ size }) => (size === undefined ? undefined : formatBytes(size)),
      align: 'right',
    },
  ],
  fields: ['id', 'service', 'path', 'from', 'size', 'result', 'error'],
  json: ({ target, result, from, size, problem }) => ({
    ...targetJson(target),
    ...(from !== undefined && { from }),
    ...(size !== undefined && { size }),
    result,
    ...(problem !== undefined && problemJson(problem)),
  }),
  id: ({ target }) => target.label,
};
