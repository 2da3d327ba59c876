/** The log of a deployment of the harbour: lines without ids, and a stream that repeats the last ones. */
import type { WebSocket } from 'ws';

interface Line {
  readonly serviceName: string;
  readonly timestamp: string;
  readonly logLine: string;
  readonly stream: string;
}

export interface HarbourLog {
  append(serviceName: string, logLine: string, stream: string): void;
  /** Returns a page, oldest first. */
  page(query: URLSearchParams): readonly Line[];
  attach(socket: WebSocket): void;
}

/** Lines of a page at most, and lines that a stream repeats when it opens. */
const largestPage = 200;
const repeated = 5;

/** @param now the clock of the service, ms since the epoch. */
export function createHarbourLog(deploymentId: string, now: () => number): HarbourLog {
  const lines: Line[] = [];
  const streams = new Set<WebSocket>();
  const messageOf = (line: Line): string => JSON.stringify({ type: 'log', deploymentId, ...line });
  return {
    append(serviceName, logLine, stream) {
      // Microseconds, of which this clock knows none.
      const timestamp = new Date(now()).toISOString().replace('Z', '000Z');
      const line = { serviceName, timestamp, logLine, stream };
      lines.push(line);
      for (const socket of streams) socket.send(messageOf(line));
    },
    page(query) {
      const limit = Math.min(largestPage, Number(query.get('limit') ?? 100));
      const offset = Number(query.get('offset') ?? 0);
      const [service, search] = [query.get('service'), query.get('search')];
      return lines
        .filter(({ serviceName }) => service === null || serviceName === service)
        .filter(({ logLine }) => search === null || logLine.includes(search))
        .slice(offset, offset + limit);
    },
    attach(socket) {
      streams.add(socket);
      socket.on('close', () => streams.delete(socket));
      for (const line of lines.slice(-repeated)) socket.send(messageOf(line));
    },
  };
}
