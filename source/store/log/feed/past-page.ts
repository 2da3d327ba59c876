/** The requests for pages of history away from the loaded lines. */
import type { LogsClient } from '../../../client/logs.ts';
import type { BisectionRequest } from '../../../tail/log/bisection-request.ts';

/** Lines per request. */
export const pastPageSize = 1000;

/** Fetches a page; with a text, only of lines in which the service finds it. */
export type PageFetch = (
  request: BisectionRequest,
  signal: AbortSignal,
  search?: string,
) => ReturnType<LogsClient['fetch']>;
