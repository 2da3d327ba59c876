import { callerWallet } from '../../store/grants/grants.ts';
import { requestedValue } from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RecordView } from '../output/record-view.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';

interface Identity {
  readonly service: string;
  readonly profile: string;
  readonly wallet: string | undefined;
  readonly tokenSource: string | undefined;
  readonly readOnly: boolean;
}

const identityView: RecordView<Identity> = {
  columns: [
    { title: 'SERVICE', value: ({ service }) => service },
    { title: 'PROFILE', value: ({ profile }) => profile },
    { title: 'WALLET', value: ({ wallet }) => wallet },
    { title: 'TOKEN', value: ({ tokenSource }) => tokenSource },
    { title: 'ACCESS', value: ({ readOnly }) => (readOnly ? 'read-only' : 'read and write') },
  ],
  fields: ['service', 'profile', 'wallet', 'tokenSource', 'readOnly'],
  json: (identity) => ({ ...identity }),
  id: ({ wallet, service }) => wallet ?? service,
};

/** Prints who the service takes the caller for, as far as it can be known, and tries the token. */
export async function printIdentity(context: ServiceCommandContext): Promise<ExitCode> {
  const { client, service, output, signal } = context;
  const { profile, baseUrl, isReadOnly } = service;
  requestedValue(await client.deployments.list(signal));
  // A wallet that is not configured is in the grants, where these are all of one address.
  const grants = profile.wallet === undefined ? await client.grants.list(signal) : undefined;
  const wallet =
    profile.wallet ?? (grants?.ok === true ? callerWallet(grants.value, undefined) : undefined);
  const identity: Identity = {
    service: baseUrl,
    profile: profile.name,
    wallet,
    tokenSource: profile.tokenSource === '' ? undefined : profile.tokenSource,
    readOnly: isReadOnly,
  };
  return output.record(identity, identityView);
}
