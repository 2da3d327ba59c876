/** The commands of files. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';
import type { ArgumentSpec } from '../table/described-command.ts';
import { autoRestoreFlag } from '../deployments/prove-flag.ts';
import { restartFlags } from './restart-flags.ts';

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
      'On a terminal the columns are aligned; into a pipe each file is a line of values between tabs, without a header: path, bytes, time of the last change. Some services list paths only.',
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
      'The local file is written whole or not at all. An existing one is replaced after a question, or with --yes. In a pipe, without LOCAL, the bytes go to stdout.',
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
    description: ['Prints a unified diff from the local file to the file of the service.'],
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
  serviceCommand({
    path: ['files', 'put'],
    summary: 'Upload local files to a service.',
    description: [
      'All files go in one request, and the deployment restarts once. A name that such a request does not carry exactly, such as one with " or %22, goes in a request of its own, as text of at most 10 MiB. A PATH that ends with a slash, or that is a folder of the service, takes files under their own names. Files that exist are replaced after a question, or with --yes. With --prove, hostdeck keeps copies of them in its trash; otherwise it keeps none.',
    ],
    args: [
      {
        name: 'LOCAL',
        summary: 'local files; -: stdin',
        isRequired: true,
        isRepeated: true,
        completes: 'local-file',
      },
      { ...fileArgument, summary: 'file or folder of a service, such as shop/web:config/' },
    ],
    flags: { ...restartFlags, ...autoRestoreFlag },
    writes: true,
    startsServices: true,
    asks: true,
    prints: true,
    examples: [
      { line: 'hostdeck files put app.yaml shop/web:config/', summary: 'into a folder' },
      { line: 'hostdeck files put *.html shop/web:', summary: 'many files, one restart' },
      {
        line: 'hostdeck files put app.yaml shop/web:config/ --yes --prove --auto-restore',
        summary: 'and back again if it is worse',
      },
      {
        line: 'date | hostdeck files put - shop/web:built.txt --restart none',
        summary: 'from stdin, without a restart',
      },
    ],
    run: async () => (await import('./put.ts')).putFiles,
  }),
  serviceCommand({
    path: ['files', 'mv'],
    summary: 'Rename a file of a service.',
    description: ['A file at the new path is a conflict; nothing is replaced.'],
    args: [
      { ...fileArgument, name: 'NAME/SERVICE:OLD' },
      { name: 'NEW', summary: 'new path, or a folder, in the same service', isRequired: true },
    ],
    flags: restartFlags,
    writes: true,
    startsServices: true,
    asks: true,
    prints: true,
    examples: [
      { line: 'hostdeck files mv shop/web:app.yaml config/', summary: 'into a folder' },
      { line: 'hostdeck files mv shop/web:old.txt new.txt', summary: 'under another name' },
    ],
    run: async () => (await import('./mv.ts')).renameServiceFile,
  }),
  serviceCommand({
    path: ['files', 'rm'],
    summary: 'Delete files of services.',
    description: [
      'Asks first, unless --yes is given. Each deployment restarts once. hostdeck keeps no copy of the files.',
    ],
    args: [{ ...fileArgument, summary: 'files, also of several services', isRepeated: true }],
    flags: restartFlags,
    writes: true,
    startsServices: true,
    asks: true,
    prints: true,
    examples: [
      { line: 'hostdeck files rm shop/web:old.txt', summary: 'asks' },
      { line: 'hostdeck files rm shop/web:a shop/web:b --yes', summary: 'does not ask' },
    ],
    run: async () => (await import('./rm.ts')).removeFiles,
  }),
  serviceCommand({
    path: ['files', 'edit'],
    summary: 'Edit a file of a service.',
    description: [
      'Opens the file in $VISUAL, else $EDITOR, else vi. Nothing is sent if the text is unchanged. If the file changed on the service meanwhile, the command ends with 5 and names the local file with your text.',
    ],
    args: [fileArgument],
    flags: restartFlags,
    writes: true,
    startsServices: true,
    prints: true,
    examples: [
      { line: 'hostdeck files edit shop/web:config/app.yaml', summary: 'edit, save, restart' },
      {
        line: 'hostdeck files edit shop/web:config/app.yaml --wait',
        summary: 'and wait until it is active again',
      },
    ],
    run: async () => (await import('./edit.ts')).editServiceFile,
  }),
];
