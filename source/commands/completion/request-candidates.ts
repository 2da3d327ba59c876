/** Requests the records that complete a word, from the service that the command line names. */
import { type Client, createClient } from '../../client/client.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import { localProfile } from '../../config/config-file.ts';
import { chooseService, readTarget, type ServiceChoice } from '../../config/service-target.ts';
import { tokenVariable } from '../../config/token-source.ts';
import { deriveGrantState } from '../../contract/grants.ts';
import { ControlClient } from '../../host/control/control-client.ts';
import { controlSocketPath } from '../../host/control/control-path.ts';
import type { CommandContext } from '../table/command-context.ts';
import { type CompletedWord, type WantedCompletion, withPrefix } from './wanted-completion.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { isClosed } from '../../store/deployments/deployments.ts';

type WantedRecords = Extract<WantedCompletion, { kind: 'records' }>;

/** Returns the candidates that are known; none where the service can't be asked. */
export async function requestCandidates(
  wanted: WantedRecords,
  context: CommandContext,
): Promise<readonly CompletedWord[]> {
  const { env, folders, home } = context;
  const config = await readConfigFile(folders.config, home);
  if (!config.ok) return [];
  if (wanted.completes === 'profile') {
    return [...config.value.profiles.values(), { name: localProfile, baseUrl: 'this machine' }]
      .filter(({ name }) => name.startsWith(wanted.typed))
      .map(({ name, baseUrl }) => ({ text: name, description: baseUrl }));
  }
  const flags = { profile: wanted.flags.get('profile'), baseUrl: wanted.flags.get('base-url') };
  const choice = chooseService(env, flags, config.value);
  if (!choice.ok || runsCommand(choice.value, env)) return [];
  const client = await clientOf(choice.value, context);
  if (client === undefined) return [];
  try {
    return await candidatesOf(wanted, client, context);
  } finally {
    await client.close();
  }
}

/** Whether the token comes from a command, which may ask for a password and is not run here. */
function runsCommand(choice: ServiceChoice, env: NodeJS.ProcessEnv): boolean {
  if (choice.kind === 'address') return tokenVariable(env) === 'HOSTDECK_TOKEN_COMMAND';
  return choice.profile?.token?.kind === 'command';
}

/** Attempts and times that a key of completion may take, ms. */
const limits = { retries: 0, connectTimeout: 1500, answerTimeout: 1500 };

/** Returns a client of the service; a host on this machine is not started. */
async function clientOf(
  choice: ServiceChoice,
  { env, folders, signal }: CommandContext,
): Promise<Client | undefined> {
  const target = await readTarget(choice, env, folders.config);
  if (!target.ok) return undefined;
  if (target.value.kind === 'remote') {
    const { baseUrl, token, wallet, streamAuth } = target.value;
    return token === '' ? undefined : createClient({ baseUrl, token, wallet, streamAuth, limits });
  }
  const control = await ControlClient.connect(controlSocketPath(folders.data));
  const end = (): void => control?.close();
  signal.addEventListener('abort', end);
  const host = await control?.hello();
  end();
  return host === undefined
    ? undefined
    : createClient({ baseUrl: host.baseUrl, token: host.token, limits });
}

async function candidatesOf(
  { args, completes, typed, prefix }: WantedRecords,
  client: Client,
  { clock, signal }: CommandContext,
): Promise<readonly CompletedWord[]> {
  if (completes === 'grant') {
    const listed = await client.grants.list(signal);
    if (!listed.ok) return [];
    const now = clock.now() + client.clockOffset();
    return listed.value
      .filter(({ value }) => deriveGrantState(value, now) === 'active')
      .map(({ value }) => ({ text: value.id, description: `to ${value.grantee}` }))
      .filter(({ text }) => text.startsWith(typed));
  }
  const listed = await client.deployments.list(signal);
  if (!listed.ok) return [];
  const all = listed.value.map(({ value }) => value);
  const completed = async (): Promise<readonly CompletedWord[]> => {
    switch (completes) {
      case 'deployment':
        return deploymentCandidates(deploymentWords(all, typed));
      case 'service-name': {
        const [named = ''] = args;
        const words = deploymentWords(all, named).filter(({ word }) => word === named);
        const [found] = await withServices(words, client, signal);
        return (found?.deployment.services ?? [])
          .map(({ name, state = '' }) => ({ text: name, description: state }))
          .filter(({ text }) => text.startsWith(typed));
      }
      case 'service':
      case 'service-path': {
        const words = deploymentWords(all, typed);
        const inside = completes === 'service' ? undefined : typedService(words, typed);
        if (inside === undefined) {
          const entered = words.filter(({ word }) => typed.startsWith(`${word}/`));
          const known = entered.length === 0 ? words : await withServices(entered, client, signal);
          return serviceCandidates(known, typed, completes !== 'service');
        }
        const files = await client.files.list(inside.deployment.id, inside.service, signal);
        return files.ok
          ? pathCandidates(
              inside,
              files.value.map(({ value }) => value.path),
            )
          : [];
      }
      case 'command':
      case 'local-file':
      case 'local-folder':
      case 'profile':
        return [];
    }
  };
  return (await completed()).map((candidate) => withPrefix(candidate, prefix));
}

/** Returns the deployments with their services, which some services tell of a single one only. */
async function withServices(
  words: readonly NamedDeploymentWord[],
  { deployments }: Pick<Client, 'deployments'>,
  signal: AbortSignal,
): Promise<readonly NamedDeploymentWord[]> {
  return await Promise.all(
    words.map(async ({ word, deployment }) => {
      if (deployment.services.length > 0) return { word, deployment };
      const got = await deployments.get(deployment.id, signal);
      return { word, deployment: got.ok ? got.value.value : deployment };
    }),
  );
}

/** A deployment and a word that names it alone. */
interface NamedDeploymentWord {
  readonly word: string;
  readonly deployment: Deployment;
}

/**
 * Returns a word for each open deployment: its name, or its id where it has no name or shares it.
 * Ids are offered too once somebody types one.
 */
export function deploymentWords(
  deployments: readonly Deployment[],
  typed: string,
): readonly NamedDeploymentWord[] {
  const open = deployments.filter((deployment) => !isClosed(deployment));
  const named = Map.groupBy(open, ({ name }) => name ?? '');
  const words = open.map((deployment) => {
    const { id, name = '' } = deployment;
    const isUnique = name !== '' && named.get(name)?.length === 1;
    return { word: isUnique ? name : id, deployment };
  });
  const matching = words.filter(({ word }) => begins(word, typed));
  if (matching.length > 0) return matching;
  return open
    .map((deployment) => ({ word: deployment.id, deployment }))
    .filter(({ word }) => begins(word, typed));
}

/** Whether one of two texts is the beginning of the other one. */
function begins(word: string, typed: string): boolean {
  return word.startsWith(typed) || typed.startsWith(`${word}/`);
}

/** Returns the candidates for the name of a deployment. */
function deploymentCandidates(words: readonly NamedDeploymentWord[]): readonly CompletedWord[] {
  return words.map(({ word, deployment: { state, id } }) => ({
    text: word,
    description: state ?? (word === id ? '' : id),
  }));
}

/** Returns the candidates for `NAME/SERVICE`, with a colon behind it where a path follows. */
export function serviceCandidates(
  words: readonly NamedDeploymentWord[],
  typed: string,
  hasPath: boolean,
): readonly CompletedWord[] {
  const inside = words.filter(({ word }) => typed.startsWith(`${word}/`));
  if (inside.length === 0) {
    return words.map(({ word }) => ({ text: `${word}/`, description: '', isPart: true }));
  }
  return inside
    .flatMap(({ word, deployment: { services } }) =>
      services.map(({ name, state }) => ({
        text: `${word}/${name}${hasPath ? ':' : ''}`,
        description: state ?? '',
        isPart: hasPath,
      })),
    )
    .filter(({ text }) => text.startsWith(typed));
}

/** A service whose files are typed, and the text before the path. */
interface TypedService {
  readonly deployment: Deployment;
  readonly service: string;
  /** Text up to the colon, such as `shop/web:`. */
  readonly head: string;
  readonly path: string;
}

/** Returns the service whose path is being typed; undefined before the colon. */
export function typedService(
  words: readonly NamedDeploymentWord[],
  typed: string,
): TypedService | undefined {
  for (const { word, deployment } of words) {
    const [head, service] = /^([^/:]+):/.exec(typed.slice(word.length + 1)) ?? [];
    if (!typed.startsWith(`${word}/`) || head === undefined || service === undefined) continue;
    const before = `${word}/${head}`;
    return { deployment, service, head: before, path: typed.slice(before.length) };
  }
  return undefined;
}

/** Returns the files and folders one level below the typed folder. */
export function pathCandidates(
  { head, path }: TypedService,
  paths: readonly string[],
): readonly CompletedWord[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const found = new Map<string, boolean>();
  for (const each of paths) {
    if (!each.startsWith(path)) continue;
    const [segment = '', ...below] = each.slice(folder.length).split('/');
    const isFolder = below.length > 0;
    if (segment !== '') found.set(`${folder}${segment}${isFolder ? '/' : ''}`, isFolder);
  }
  return [...found].map(([text, isPart]) => ({ text: `${head}${text}`, description: '', isPart }));
}
