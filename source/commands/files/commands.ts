/** The commands of files. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';
import type { ArgumentSpec } from '../table/described-command.ts';

const fileArgument: ArgumentSpec = {
  name: 'NAME/SERVICE:PATH',
  summary: 'file of a service, such as shop/web:config/app.yaml',
  isRequired: true,
  completes: 'service-path',
};

export const fileShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['files', 'list'],
    summary: 'List the files of a service.',
    description: [
      'On a terminal the columns are aligned; into a pipe each file is a line of values between tabs, without a header: path, bytes, time of the last change. Some services tell paths alone.',
    ],
    args: [
      {
        name: 'NAME/SERVICE',
        summary: 'deployment and service, such as shop/web',
        isRequired: true,
        completes: 'service',
      },
      { name: 'PATH', summary: 'folder or file to list', isRequired: false },
    ],
    flags: {},
    prints: true,
    examples: [
      { line: 'hostdeck files list shop/web', summary: 'all files' },
      { line: 'hostdeck files list shop/web config -q', summary: 'paths of a folder' },
    ],
    run: async () => (await import('./list.ts')).printFiles,
  }),
  serviceCommand({
    path: ['files', 'cat'],
    summary: 'Print a file of a service.',
    description: [
      'Into a pipe the bytes are written as they are; on a terminal escape sequences are made visible. With --json the content is text, or base64 for other bytes.',
    ],
    args: [fileArgument],
    flags: {},
    prints: true,
    examples: [
      { line: 'hostdeck files cat shop/web:config/app.yaml', summary: 'print it' },
      {
        line: 'hostdeck files cat shop/web:data.json | jq .version',
        summary: 'read it with another program',
      },
    ],
    run: async () => (await import('./cat.ts')).printFile,
  }),
  serviceCommand({
    path: ['files', 'get'],
    summary: 'Save a file of a service on this machine.',
    description: [
      'The local file is complete or unchanged. An existing one is replaced after a question, or with --yes. Into a pipe the bytes are written where no LOCAL is given.',
    ],
    args: [
      fileArgument,
      {
        name: 'LOCAL',
        summary: 'file or folder to save it in (the current folder); -: stdout',
        isRequired: false,
        completes: 'local-file',
      },
    ],
    flags: {},
    asks: true,
    prints: true,
    examples: [
      { line: 'hostdeck files get shop/web:config/app.yaml', summary: 'into the current folder' },
      { line: 'hostdeck files get shop/web:dump.gz - | gunzip', summary: 'into a pipe' },
    ],
    run: async () => (await import('./get.ts')).saveFile,
  }),
  serviceCommand({
    path: ['files', 'diff'],
    summary: 'Compare a local file with a file of a service.',
    description: ['The unified difference leads from the local file to the file of the service.'],
    args: [
      {
        name: 'LOCAL',
        summary: 'local file; -: stdin',
        isRequired: true,
        completes: 'local-file',
      },
      fileArgument,
    ],
    flags: {
      'exit-code': { type: 'switch', summary: 'end with 1 where the files differ' },
    },
    prints: true,
    examples: [
      { line: 'hostdeck files diff app.yaml shop/web:config/app.yaml', summary: 'show changes' },
      {
        line: 'hostdeck files diff app.yaml shop/web:config/app.yaml --exit-code -q',
        summary: 'only tell whether they differ, by the exit code',
      },
    ],
    run: async () => (await import('./diff.ts')).printDifference,
  }),
];
