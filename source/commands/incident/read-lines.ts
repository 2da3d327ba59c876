/** Reads the lines of a deployment's log in a span of time. */
import { Writable } from 'node:stream';
import { decodeFrameAt } from '../../client/decode/logs.ts';
import { nanoseconds } from '../../contract/instant.ts';
import type { LogLine } from '../../contract/logs.ts';
import { mergeLogMemory } from '../../config/log-memory.ts';
import { boundLines, incidentBounds } from '../../store/incident/bound-lines.ts';
import type { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { createLineFormat } from '../logs/line-format.ts';
import { noCriteria } from '../logs/line-selector.ts';
import { runLogs } from '../logs/run-logs.ts';
import type { CommandService, ServiceCommandContext } from '../table/command-context.ts';

interface LinesContext extends Pick<ServiceCommandContext, 'client' | 'clock' | 'signal'> {
  readonly service: Pick<CommandService, 'logMemory'>;
}

export type ReadLines =
  | {
      readonly ok: true;
      /** Oldest first. */
      readonly lines: readonly LogLine[];
      /** Sentences about gaps, late lines and lines that are left out. */
      readonly missing: readonly string[];
      /** True when the log could not be read back to the first time. */
      readonly isShort: boolean;
    }
  | { readonly ok: false; readonly problem: CommandProblem | undefined };

/** Characters of a log in memory, of which the older half is dropped beyond that. */
const mostCharacters = 2 * incidentBounds.characters;

/**
 * Resolves with the lines of all services. Reads as `hostdeck logs --since` does.
 * @param since first time and `until` the time after the last one, ms since the epoch.
 */
export async function readLines(
  { client, clock, signal, service }: LinesContext,
  id: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<ReadLines> {
  const missing: string[] = [];
  let problem: CommandProblem | undefined;
  const collected = createCollector();
  const exit = await runLogs({
    client,
    clock,
    random: Math.random,
    targets: [
      {
        id,
        isEnded: true,
        format: createLineFormat({ form: 'json', id, now: () => clock.now() }),
      },
    ],
    criteria: { ...noCriteria, since: nanoseconds(since), until: nanoseconds(until) },
    limit: Number.POSITIVE_INFINITY,
    mostSearched: Number.POSITIVE_INFINITY,
    service: undefined,
    search: undefined,
    follow: false,
    backfill: true,
    memory: service.logMemory.ok ? mergeLogMemory([service.logMemory.value]) : undefined,
    stdout: collected.stdout,
    note: (sentence) => missing.push(sentence),
    fail: (failure) => {
      problem = failure;
      return failure.exit;
    },
    signal,
  });
  const isShort = exit === exitCodes.unreachable && problem === undefined;
  if (exit !== exitCodes.done && !isShort) return { ok: false, problem };
  if (isShort && missing.length === 0) missing.push('The log could not be read.');
  const { lines, isCut } = collected.lines();
  const kept = boundLines(lines);
  if (isCut || kept.length < lines.length)
    missing.push(`The span has more lines than a file holds; the last ${kept.length} are kept.`);
  return { ok: true, lines: kept, missing, isShort };
}

/** Collects JSON lines; drops the oldest where they are too many. */
function createCollector() {
  let chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > mostCharacters) {
        chunks = chunks.slice(chunks.length / 2);
        size = chunks.reduce((sum, { length }) => sum + length, 0);
        isCut = true;
      }
      done();
    },
  });
  return {
    stdout,
    lines(): { readonly lines: readonly LogLine[]; readonly isCut: boolean } {
      const bytes = Buffer.concat(chunks);
      const lines: LogLine[] = [];
      for (let start = 0; start < bytes.length; ) {
        const found = bytes.indexOf(0x0a, start);
        const end = found < 0 ? bytes.length : found;
        const frame = decodeFrameAt(bytes, start, end);
        if (frame.kind === 'line') lines.push(frame.line);
        start = end + 1;
      }
      return { lines, isCut };
    },
  };
}
