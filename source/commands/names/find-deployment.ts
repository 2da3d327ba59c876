/** Finds the deployments that a command names. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { DeploymentsClient } from '../../client/deployments.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { formatSuggestion } from '../../contract/sdl/near-name.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import {
  CommandFailure,
  type CommandProblem,
  failureOr,
  notFoundProblem,
  requestedValue,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import { type NamedRecord, resolveName } from './resolve-name.ts';

/** A deployment that was found. */
export interface FoundDeployment {
  readonly deployment: Deployment;
  readonly read: DecodedRecord<Deployment>;
  /** False where only a prefix was typed. */
  readonly isExact: boolean;
}

/** Finds deployments by name, all in one list of the service. */
export interface DeploymentFinder {
  /**
   * Finds a deployment by its id, its name, or a unique prefix of one. Rejects with a `CommandFailure`
   * where none or several match.
   * @param needsExact true for a write that nobody confirms: a prefix is then refused.
   */
  find(text: string, needsExact?: boolean): Promise<FoundDeployment>;
}

interface NamedDeployment extends NamedRecord {
  readonly read: DecodedRecord<Deployment>;
}

/** Creates a finder; the list is requested once, with the first name. */
export function createDeploymentFinder(
  client: { readonly host: string; readonly deployments: Pick<DeploymentsClient, 'list' | 'get'> },
  signal: AbortSignal,
): DeploymentFinder {
  let listing: ReturnType<DeploymentsClient['list']> | undefined;

  return {
    async find(text, needsExact = false) {
      const listed = await (listing ??= client.deployments.list(signal));
      // A full id is enough where the list is refused or can't be read.
      if (!listed.ok) {
        const isReadable = listed.error.status !== undefined && isWholeId(text);
        if (isReadable) return findUnlisted(text);
        throw new CommandFailure(requestProblem(listed.error));
      }
      const records = listed.value.map(namedDeployment);
      const resolved = resolveName(text, records);
      switch (resolved.kind) {
        case 'one': {
          const { record, isExact } = resolved;
          if (needsExact && !isExact) throw new CommandFailure(prefixProblem(text, record));
          const { read } = record;
          return { deployment: read.value, read, isExact };
        }
        case 'several':
          throw new CommandFailure(severalProblem(text, resolved.records));
        case 'none':
          if ((listed.total ?? 0) > records.length && isPathPart(text)) return findUnlisted(text);
          throw new CommandFailure(noneProblem(text, records));
      }
    },
  };

  /** Requests a deployment by its id, which the list leaves out. */
  async function findUnlisted(id: string): Promise<FoundDeployment> {
    const read = requestedValue(await client.deployments.get(id, signal), (error) =>
      error.code === 'not-found' ? noneProblem(id, []) : requestProblem(error),
    );
    return { deployment: read.value, read, isExact: true };
  }

  function noneProblem(text: string, records: readonly NamedRecord[]): CommandProblem {
    const near = formatSuggestion(
      text,
      records.flatMap(({ name }) => name ?? []),
    );
    return notFoundProblem(
      `No deployment on ${client.host} has the name or id ${text}, or one that starts with it.${near}`,
      'hostdeck deployments list shows all.',
    );
  }
}

/** Returns whether a text has the form of an id in the contract's examples: a UUID and digits. */
function isWholeId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}-\d+$/i.test(text);
}

/** Whether a text can be an id in a URL. */
function isPathPart(text: string): boolean {
  return text !== '.' && text !== '..';
}

function namedDeployment(read: DecodedRecord<Deployment>): NamedDeployment {
  const { id, name } = read.value;
  return { id, name, isClosed: isClosed(read.value), read };
}

function prefixProblem(text: string, { id, name }: NamedRecord): CommandProblem {
  return {
    ...usageProblem(
      `${text} is only the beginning of a name or id.`,
      'With --yes, or without a terminal, give the whole name or id:',
    ),
    candidates: [{ id, name }],
  };
}

function severalProblem(text: string, records: readonly NamedRecord[]): CommandProblem {
  return {
    ...usageProblem(`${text} matches ${records.length} deployments.`, 'Use one of these ids:'),
    candidates: records.map(({ id, name }) => ({ id, name })),
  };
}

/** A log that can be requested. */
export interface FoundLog {
  readonly id: string;
  /** Undefined where the service answers no question about the deployment. */
  readonly deployment: Deployment | undefined;
}

/**
 * Finds a log by the name or id of its deployment. A full id is enough where the service refuses to
 * tell its deployments, or tells them in a form that can't be read.
 */
export async function findLog(finder: DeploymentFinder, name: string): Promise<FoundLog> {
  const found = await failureOr(finder.find(name));
  if (!(found instanceof CommandFailure)) {
    return { id: found.deployment.id, deployment: found.deployment };
  }
  if (found.problem.status === undefined || !isWholeId(name)) throw found;
  return { id: name, deployment: undefined };
}
