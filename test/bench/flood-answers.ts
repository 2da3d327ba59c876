import type { IncomingMessage } from 'node:http';

const deploymentCount = 40;
const idOf = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, '0')}-${4700 + index}`;

/** The one deployment whose log is written, and its services. */
export const floodDeployment = idOf(0);
export const floodServices: readonly string[] = ['web', 'api', 'worker', 'queue'];

/** The log that is written, as far as HTTP shows it. */
export interface FloodedLog {
  /** Lines written so far; the first is 1. */
  readonly written: number;
  message(line: number): unknown;
}

/** Answers of a service that floods one log: there are other deployments, no files and no grants. */
export function floodAnswer(request: IncomingMessage, log: FloodedLog): object {
  const url = new URL(request.url ?? '', 'http://flood');
  if (url.pathname.endsWith('/logs')) {
    const newest = log.written - Number(url.searchParams.get('offset') ?? 0);
    const count = Math.min(Number(url.searchParams.get('limit') ?? 100), Math.max(0, newest));
    return { logs: Array.from({ length: count }, (_, index) => log.message(newest - index)) };
  }
  if (url.pathname.endsWith('/grants')) return { grants: [] };
  if (url.pathname.endsWith('/files')) return { files: [] };
  return {
    deployments: Array.from({ length: deploymentCount }, (_, index) => ({
      id: idOf(index),
      name: index === 0 ? 'shop' : `shop-${index}`,
      state: 'active',
      services: floodServices,
      createdAt: '2025-01-01T00:00:00.000Z',
    })),
  };
}
