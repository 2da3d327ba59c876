import { type Command, paneContexts } from '../command/command.ts';
import { promptIncident } from './write-incident.ts';

/** The command that writes an incident file. */
export const incidentCommands: readonly Command[] = [
  {
    id: 'incident.write',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: 'write incident file',
    title: 'incident',
    synonyms: ['report', 'bundle', 'support', 'export', 'share'],
    run: ({ deck, terminal }) => promptIncident(deck, terminal.collectIncident),
  },
];
