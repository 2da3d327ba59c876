import type { Result } from '../../client/http/errors.ts';
import {
  isRequestablePath,
  type OperationName,
  operations,
  type RouteParameters,
  routePath,
} from '../../contract/routes.ts';
import type { History, Outcome, Write } from './history.ts';

/** Sends a write and records it with its outcome; `detailsOf` adds what only the answer tells. */
export type RecordWrite = <T>(
  write: Write,
  send: () => Promise<Result<T>>,
  detailsOf?: (result: Result<T>) => Partial<Write>,
) => Promise<Result<T>>;

/** Returns the function by which each noun records its writes in the history. */
export function createWriteRecorder(history: History): RecordWrite {
  return async (write, send, detailsOf = () => ({})) => {
    const settle = history.sending(write);
    try {
      const result = await send();
      settle(outcomeOf(result), detailsOf(result));
      return result;
    } catch (error) {
      settle({ kind: 'unknown', sentence: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };
}

/** Describes a write by its operation, its subject for a person, and its bytes of content. */
export function describeWrite(
  operation: OperationName,
  subject: string,
  parameters: RouteParameters = {},
  size?: number,
): Write {
  const { title, method, path } = operations[operation];
  // A path that no URL can address is never sent; the history shows its route instead.
  const isAddressable = Object.values(parameters).every((value) => isRequestablePath(value));
  const target = isAddressable ? routePath(operation, parameters) : path;
  return { operation: title, subject, request: `${method} ${target}`, size };
}

function outcomeOf(result: Result<unknown>): Outcome {
  if (result.ok) return { kind: 'done', status: result.status };
  const { status, code, sentence, errorMessage, unknownOutcome } = result.error;
  return {
    kind: unknownOutcome ? 'unknown' : 'failed',
    status,
    code,
    sentence,
    said: errorMessage,
  };
}
