/** The command that syncs a folder to a service. */
import { autoRestoreFlag } from '../deployments/prove-flag.ts';
import { restartFlags } from '../files/restart-flags.ts';
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';

export const syncShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['files', 'sync'],
    summary: 'Send the changed files of a folder to a service.',
    description: [
      'Goes one way, to the service. The plan is printed first; a plan that overwrites or deletes files is confirmed. A file that someone else changed, created or removed on the service since the last sync is a conflict: it is named and left as it is, and the exit code is 5.',
      'The state folder keeps the hashes of the last sync from the folder. A first sync therefore overwrites and deletes nothing: files that are equal on both sides are recorded as sent, files that differ are conflicts.',
      'An empty folder deletes nothing unless the number of files is typed: it may be one that is not mounted.',
      '.gitignore files count as in git; a .hostdeckignore replaces the .gitignore of its folder. .git and .hostdeckignore are never sent. Links, empty folders and file modes are listed, because services do not hold them.',
      'With --watch, the deployment restarts after a pause: the restart delay of the profile, 5 seconds by default, after the last change. If it ends before the restart was sent, it prints the command for it on stderr, and the next console offers it.',
    ],
    args: [
      { name: 'DIR', summary: 'local folder', isRequired: true, completes: 'local-folder' },
      {
        name: 'NAME/SERVICE[:DIR]',
        summary: 'deployment and service, and the folder there; by default its root',
        isRequired: true,
        completes: 'service',
      },
    ],
    flags: {
      watch: { type: 'switch', letter: 'w', summary: 'send each further change, until ^C' },
      delete: {
        type: 'switch',
        summary: 'delete files that an earlier sync sent and that are gone from the folder',
      },
      'max-delete': {
        type: 'value',
        value: 'N',
        summary: 'most files to delete at a time (20, or the number typed)',
        expected: 'a number of files',
        parse: (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
      },
      ...restartFlags,
      ...autoRestoreFlag,
    },
    writes: true,
    startsServices: true,
    finishesWrites: true,
    asks: true,
    examples: [
      { line: 'hostdeck files sync site shop/web --dry-run', summary: 'the plan only' },
      { line: 'hostdeck files sync site shop/web:public', summary: 'into a folder of the service' },
      {
        line: 'hostdeck files sync site shop/web --watch --delete',
        summary: 'until Ctrl-C, deletions included',
      },
    ],
    run: async () => (await import('./sync.ts')).runSync,
  }),
];
