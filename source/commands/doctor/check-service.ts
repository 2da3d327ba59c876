/** Checks of the configuration and of the service that it names. */
import { type Client, createClient } from '../../client/client.ts';
import { chooseProxy, type Environment } from '../../client/http/proxy.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import {
  chooseService,
  readTarget,
  type ServiceChoice,
  type ServiceFlags,
  type ServiceTarget,
} from '../../config/service-target.ts';
import { ControlClient } from '../../host/control/control-client.ts';
import { controlSocketPath } from '../../host/control/control-path.ts';
import { formatAge } from '../../store/time/age.ts';
import { requestProblem } from '../command-problem.ts';
import type { CommandContext } from '../table/command-context.ts';
import { type Check, failCheck, okCheck, warnCheck } from './check.ts';
import { probeLimits, probeService, type StreamProbe } from './probe-service.ts';

/** Checks the file, the profile, the token and the service, as far as each one needs the others. */
export async function checkService(
  context: CommandContext,
  flags: ServiceFlags,
): Promise<readonly Check[]> {
  const { env, folders, home } = context;
  const config = await readConfigFile(folders.config, home);
  if (!config.ok) return [failCheck('config', config.problem.sentence, config.problem.next)];
  const { path, profiles, warnings } = config.value;
  const count = profiles.size === 1 ? '1 profile' : `${profiles.size} profiles`;
  const found = okCheck('config', profiles.size === 0 ? 'no profiles' : `${path}, ${count}`);
  const wrong = warnings.map(({ sentence, next }) => warnCheck('config', sentence, next));
  const checks = wrong.length === 0 ? [found] : wrong;
  const choice = chooseService(env, flags, config.value);
  if (!choice.ok) {
    return [...checks, failCheck('profile', choice.problem.sentence, choice.problem.next)];
  }
  checks.push(okCheck('profile', choiceText(choice.value)));
  const target = await readTarget(choice.value, env, folders.config);
  if (!target.ok) {
    return [...checks, failCheck('token', target.problem.sentence, target.problem.next)];
  }
  const { notice } = target.value;
  if (notice !== undefined) checks.push(warnCheck('variables', notice, 'Unset them to be sure.'));
  return [...checks, ...(await checkTarget(target.value, context))];
}

/** Returns which service is chosen, and by what. */
function choiceText(choice: ServiceChoice): string {
  if (choice.kind === 'address') return `${choice.baseUrl}, without a profile`;
  const { profile } = choice;
  const name = profile === undefined ? 'the host on this machine' : profileText(profile);
  return choice.kind === 'named' ? name : `${name} (default)`;
}

function profileText({ name, baseUrl }: { readonly name: string; readonly baseUrl: string }) {
  return `${name}, ${baseUrl}`;
}

async function checkTarget(
  target: ServiceTarget,
  context: CommandContext,
): Promise<readonly Check[]> {
  if (target.kind === 'remote') {
    const { baseUrl, token, source, wallet, streamAuth } = target;
    if (token === '') {
      const next = 'Set HOSTDECK_TOKEN, or a tokenFile, or store one with :token in the console.';
      return [failCheck('token', 'There is none.', next)];
    }
    const { env: environment } = context;
    const limits = probeLimits;
    const client = createClient({ baseUrl, token, wallet, streamAuth, limits, environment });
    return [
      okCheck('token', `from ${source}`),
      checkProxy(baseUrl, environment),
      ...(await checkClient(client, context)),
    ];
  }
  const { data } = context.folders;
  const control = await ControlClient.connect(controlSocketPath(data));
  const host = await control?.hello();
  control?.close();
  if (host === undefined) {
    return [
      okCheck('service', `No host runs on ${data}; the console starts one when it is needed.`),
    ];
  }
  const client = createClient({ baseUrl: host.baseUrl, token: host.token, limits: probeLimits });
  return await checkClient(client, context);
}

/** Tells through which proxy the service is reached, and why. */
function checkProxy(baseUrl: string, environment: Environment): Check {
  const choice = chooseProxy(new URL(baseUrl), environment);
  if (choice.kind === 'unusable') return failCheck('proxy', choice.sentence, choice.next);
  if (choice.kind === 'direct') return okCheck('proxy', `none, because ${choice.reason}`);
  const { name, variable, isForwarding, authorization } = choice.proxy;
  const user = authorization === undefined ? '' : ', with a user';
  const uses = isForwarding
    ? 'requests are forwarded, the stream uses a tunnel'
    : 'requests and the stream use tunnels';
  return okCheck('proxy', `${name} from ${variable}${user}: ${uses}`);
}

/** Milliseconds between two clocks that are worth a word. */
const mostOffset = 5000;

async function checkClient(
  client: Client,
  { clock, signal }: CommandContext,
): Promise<readonly Check[]> {
  const end = (): void => void client.close();
  signal.addEventListener('abort', end);
  try {
    const { list, stream } = await probeService(client, clock, signal);
    if ('error' in list) {
      const { sentence, next } = requestProblem(list.error);
      const finding = sentence.includes(client.host) ? sentence : `${client.host}: ${sentence}`;
      const checks = [failCheck('service', finding, next)];
      return list.error.status === undefined ? checks : [...checks, clockCheck(client)];
    }
    const count = list.count === 1 ? '1 deployment' : `${list.count} deployments`;
    return [
      okCheck('service', `${client.host} lists ${count}`),
      clockCheck(client),
      streamCheck(stream),
    ];
  } finally {
    signal.removeEventListener('abort', end);
    await client.close();
  }
}

function clockCheck(client: Pick<Client, 'clockOffset'>): Check {
  const offset = client.clockOffset();
  const span = formatAge(Math.abs(offset));
  if (Math.abs(offset) < mostOffset) return okCheck('clock', "agrees with the service's");
  return warnCheck(
    'clock',
    `This machine's clock is ${span} ${offset > 0 ? 'behind' : 'ahead of'} the service's.`,
    'Ages and expiries follow the service. Synchronise the clock of this machine.',
  );
}

function openText(otherTypes: readonly string[]): string {
  if (otherTypes.length === 0) return 'opens';
  return `opens; messages of other types are ignored: ${otherTypes.join(', ')}`;
}

function streamCheck(stream: StreamProbe | undefined): Check {
  if (stream === undefined) return okCheck('stream', 'not tried: no deployment is open');
  if (stream.kind === 'open') return okCheck('stream', openText(stream.otherTypes));
  if (stream.kind === 'unreadable') {
    return warnCheck(
      'stream',
      `The log stream sends messages that can't be read: ${stream.description}.`,
      'Lines in them are missing until the log is fetched by HTTP.',
    );
  }
  const { error } = stream;
  const isRefused = error.code === 'unauthorized' || error.code === 'forbidden';
  return warnCheck(
    'stream',
    error.sentence,
    isRefused
      ? 'Logs are polled. Try another streamAuth of the profile: subprotocol or query.'
      : 'Logs are polled every two seconds.',
  );
}
