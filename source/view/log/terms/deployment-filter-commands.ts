/** The commands that filter the log of several deployments by one of them. */
import { type Command, paneContexts } from '../../command/command.ts';
import { promptDeploymentFilter } from '../prompts.ts';

export const deploymentFilterCommands: readonly Command[] = [
  {
    id: 'log.only-deployment',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: 'one deployment',
    title: 'filter by deployment',
    synonyms: ['include', 'only', 'joined', 'log'],
    run: ({ deck }) => promptDeploymentFilter(deck, 'deployment:'),
  },
  {
    id: 'log.hide-deployment',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: 'hide a deployment',
    title: 'hide deployment',
    synonyms: ['exclude', 'filter', 'joined', 'log'],
    run: ({ deck }) => promptDeploymentFilter(deck, '!deployment:'),
  },
];
