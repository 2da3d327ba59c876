/** Reads the lines of a deployment's log in a span of time. */
import { Writable } from 'node:stream';
import type { Client } from '../../client/client.ts';
import { mergeLogMemory } from '../../config/log-memory.ts';
import { decodeLines } from '../../disk/incident-file.ts';
import { nanoseconds } from '../../contract/instant.ts';
import type { IncidentSubject } from '../../store/incident/incident.ts';
import type { LogMemory } from '../../store/log/feed/log-source.ts';
import type { Clock } from '../../store/time/clock.ts';
import type { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { createLineFormat } from '../logs/line-format.ts';
import { noCriteria } from '../logs/line-selector.ts';
import { runLogs } from '../logs/run-logs.ts';

/** Lines of a file, and bytes that they take as JSON; the oldest are left out, so that it can be sent and read. */
const mostLines = 500_000;
const mostBytes = 128 * 1024 * 1024;

/** The parts of a command, or of a console, that read a log. */
export interface LogContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly logMemory: LogMemory | undefined;
}

/**
 * Resolves with the lines of all services, oldest first, with sentences about gaps and what else is missing, and
 * with the exit code and the problem of `hostdeck logs --since`, which reads alike.
 */
export async function readLines(
  { client, clock, signal, logMemory }: LogContext,
  { id, since, until }: Pick<IncidentSubject, 'id' | 'since' | 'until'>,
) {
  const missing: string[] = [];
  let problem: CommandProblem | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // The memory of a chunk is used again.
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      while (size > mostBytes) {
        size -= chunks.shift()?.length ?? size;
        isCut = true;
      }
      done();
    },
  });
  const format = createLineFormat({ form: 'json', id, now: () => clock.now() });
  const exit = await runLogs({
    client,
    clock,
    random: Math.random,
    targets: [{ id, isEnded: true, format }],
    criteria: { ...noCriteria, since: nanoseconds(since), until: nanoseconds(until) },
    limit: Number.POSITIVE_INFINITY,
    mostSearched: Number.POSITIVE_INFINITY,
    service: undefined,
    search: undefined,
    follow: false,
    backfill: true,
    memory: mergeLogMemory([logMemory]),
    stdout,
    note: (sentence) => missing.push(sentence),
    fail: (failure) => {
      problem = failure;
      return failure.exit;
    },
    signal,
  });
  // The first line is cut where chunks were dropped.
  const all = decodeLines(Buffer.concat(chunks)).filter((line) => line !== undefined);
  const lines = all.slice(-mostLines);
  if (isCut || lines.length < all.length)
    missing.push(`The span has more lines than a file holds; the last ${lines.length} are kept.`);
  if (exit === exitCodes.unreachable && missing.length === 0)
    missing.push('The log could not be read.');
  return { lines, missing, exit, problem };
}
