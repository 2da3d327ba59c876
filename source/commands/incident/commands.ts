/** The command that writes incident files. */
import { isMomentForm } from '../../store/log/reader/moment.ts';
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';

const time = {
  type: 'value',
  value: 'TIME',
  expected: 'a time or a span, such as 30m, 12:01 or 2026-11-21T12:01Z',
  parse: (text: string) => (isMomentForm(text) ? text : undefined),
} as const;

export const incidentShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['incident'],
    summary: 'Write what happened to a deployment into one file.',
    description: [
      'The file is an archive, which tar xzf FILE extracts: README.txt says what it is and what it lacks, log.jsonl has the lines of all services in a span of time, deployment.json the record with its SDL, the names of the files, edits and restarts, and edits/ a difference for each file that was edited from this machine. hostdeck open shows it, without a connection to the service. Only its owner may read it.',
      'Passwords, tokens and keys are masked as [secret 1 ****], equal ones with the same number. A secret is found by its form, by the name of its setting, and wherever it occurs again; --dry-run counts what would be masked. Look through a file before you give it away: no rule knows every secret.',
    ],
    args: [
      {
        name: 'NAME',
        summary: 'name or id of a deployment, or a unique beginning of one',
        isRequired: true,
        completes: 'deployment',
      },
    ],
    flags: {
      since: {
        ...time,
        summary: 'time of the first line: a span before now, or a time (30m before the end)',
      },
      until: {
        ...time,
        summary: 'time after the last line (now); a time of day is the first one after --since',
      },
      output: {
        type: 'value',
        letter: 'o',
        value: 'FILE',
        completes: 'local-file',
        summary: 'file to write; an existing one is replaced only after a question',
      },
      'dry-run': {
        type: 'switch',
        summary: 'count what the file would hold and what would be masked, and write nothing',
      },
    },
    asks: true,
    findConflict: (flags) =>
      flags.output === undefined && !flags['dry-run'] ? '--output FILE is required.' : undefined,
    examples: [
      {
        line: 'hostdeck incident shop --since 30m --output shop.tar.gz',
        summary: 'the last half hour of shop',
      },
      {
        line: 'hostdeck incident shop --since 45m --until 15m --dry-run',
        summary: 'what would be masked',
      },
    ],
    run: async () => (await import('./write-incident.ts')).writeIncident,
  }),
];
