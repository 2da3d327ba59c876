/** Words for the records of a service. Pure. */
import type { Deployment } from '../../contract/deployments.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import type { CompletedWord } from './wanted-completion.ts';

/** A deployment and a word that names it alone. */
export interface NamedDeploymentWord {
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
export function deploymentCandidates(
  words: readonly NamedDeploymentWord[],
): readonly CompletedWord[] {
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
export interface TypedService {
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
