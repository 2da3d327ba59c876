import { createClient } from '../../client/client.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import { readTarget } from '../../config/service-target.ts';
import {
  CommandFailure,
  configuredValue,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import {
  probeLimits,
  probeService,
  type ServiceProbe,
  type StreamProbe,
} from '../doctor/probe-service.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { RecordView } from '../output/record-view.ts';
import type { CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { openConfig } from './change-config.ts';
import { findProfile } from './find-profile.ts';

/** An operation that was tried. */
interface Trial {
  readonly operation: 'list' | 'stream';
  readonly outcome: 'ok' | 'failed' | 'not tried';
  readonly detail: string;
}

const trialView: RecordView<Trial> = {
  columns: [
    { title: 'OPERATION', value: ({ operation }) => operation },
    { title: 'OUTCOME', value: ({ outcome }) => outcome },
    { title: 'DETAIL', value: ({ detail }) => detail },
  ],
  fields: ['operation', 'outcome', 'detail'],
  json: (trial) => ({ ...trial }),
  id: ({ operation, outcome }) => `${operation} ${outcome}`,
};

/** Connects to a profile's service and prints what works; the exit code tells the first cause. */
export async function testProfile(
  context: CommandContext,
  { args: [name = ''] }: CommandWords,
): Promise<ExitCode> {
  const { clock, folders, output, signal } = context;
  const profile = findProfile(name, openConfig(context).config);
  // No variable may change what a named profile is.
  const read = await readTarget({ kind: 'named', profile }, {}, folders.config);
  const target = configuredValue(read);
  if (target.kind === 'local' || target.token === '') {
    const next = 'Give it a tokenFile or a tokenCommand, or store one with :token in the console.';
    throw new CommandFailure(usageProblem(`Profile ${name} has no token.`, next));
  }
  const { baseUrl, token, wallet, streamAuth } = target;
  const client = createClient({ baseUrl, token, wallet, streamAuth, limits: probeLimits });
  const end = (): void => void client.close();
  signal.addEventListener('abort', end);
  try {
    const probe = await probeService(client, clock, signal);
    await output.list(trialsOf(probe), trialView);
    const error = 'error' in probe.list ? probe.list.error : refusalOf(probe.stream);
    return error === undefined ? exitCodes.done : output.fail(requestProblem(error));
  } finally {
    signal.removeEventListener('abort', end);
    await client.close();
  }
}

function refusalOf(stream: StreamProbe | undefined): ServiceError | undefined {
  return stream?.kind === 'refused' ? stream.error : undefined;
}

function trialsOf({ list, stream }: ServiceProbe): readonly Trial[] {
  if ('error' in list) {
    return [
      { operation: 'list', outcome: 'failed', detail: list.error.code },
      { operation: 'stream', outcome: 'not tried', detail: '' },
    ];
  }
  const { count } = list;
  const refusal = refusalOf(stream);
  const listed = count === 1 ? '1 deployment' : `${count} deployments`;
  return [
    { operation: 'list', outcome: 'ok', detail: listed },
    stream === undefined
      ? { operation: 'stream', outcome: 'not tried', detail: 'no deployment is open' }
      : refusal === undefined
        ? {
            operation: 'stream',
            outcome: 'ok',
            detail: stream.kind === 'unreadable' ? 'sends unreadable messages' : '',
          }
        : { operation: 'stream', outcome: 'failed', detail: refusal.code },
  ];
}
