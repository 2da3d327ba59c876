/** Follows the log of a deployment for rules on its lines. */
import type { LogsClient } from '../../client/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { eventStream } from '../../contract/event-lines.ts';
import type { LogLine } from '../../contract/logs.ts';
import { rowTime, toRow } from '../../tail/arena/row.ts';
import { type LineMatcher, parseLineQuery } from '../../tail/query/log-query.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import { FollowedLog } from '../log/feed/followed-log.ts';
import { formatAge } from '../time/age.ts';
import { type Clock, unbounded } from '../time/clock.ts';
import type { FoundCondition } from './conditions.ts';
import { stepLength } from './episodes.ts';
import type { LogRule } from './rule.ts';

/** The parts of the service and of this machine that a log needs. */
export interface RuleLogSources {
  readonly client: LogsClient;
  readonly clock: Clock & { serviceNow(): number };
  readonly random: () => number;
}

/** Lines are counted as they come, so that few are kept. */
const memory = { initialLines: 1, maxLines: 2000, maxBytes: 4 * 1024 * 1024 };

/** Milliseconds for an expression to test the lines of one message. */
const matchLimit = 250;

/** Milliseconds by which the estimated clock of the service may be wrong. */
const clockSlack = 2000;

/** A rule, and the lines of the log that it is about. */
interface FollowedRule {
  readonly rule: LogRule;
  /** Undefined for silence, and for a query that takes too long. */
  matcher: LineMatcher | undefined;
  /** Lines since the last step. */
  fresh: number;
  counts: readonly StepCount[];
  /** The line that matched last. */
  line: string | undefined;
}

/** A count of lines at the end of a step, whose time is the sum of the steps in ms. */
export interface StepCount {
  readonly at: number;
  readonly count: number;
}

/** Returns the counts of the last `within` ms with that of a step; the sum never jumps as a clock does. */
export function countWithin(
  counts: readonly StepCount[],
  step: StepCount,
  within: number,
): readonly StepCount[] {
  const recent = counts.filter(({ at }) => at > step.at - within);
  return step.count === 0 ? recent : [...recent, step];
}

export class RuleLog {
  /** The record of the last list. */
  deployment: Deployment;
  readonly #followed: readonly FollowedRule[];
  readonly #sources: RuleLogSources;
  readonly #onTooSlow: (rule: LogRule) => void;
  readonly #openedAt: number;
  readonly #logs: FollowedLog;
  readonly #endListening: () => void;
  /** Whether the service has written a line since the last step. */
  #hasLine = false;
  #steppedAt: number | undefined;
  /** Milliseconds of all steps. */
  #at = 0;

  /** @param onTooSlow called with each rule whose expression takes too long; it is not tried again. */
  constructor(
    deployment: Deployment,
    rules: readonly LogRule[],
    sources: RuleLogSources,
    onTooSlow: (rule: LogRule) => void,
  ) {
    this.deployment = deployment;
    this.#followed = rules.map((rule) => {
      return { rule, matcher: matcherOf(rule), fresh: 0, counts: [], line: undefined };
    });
    this.#sources = sources;
    this.#onTooSlow = onTooSlow;
    this.#openedAt = sources.clock.serviceNow();
    const { id: deploymentId } = deployment;
    this.#logs = new FollowedLog({ ...sources, deploymentId, publishInterval: 250, ...memory });
    const { entries } = this.#logs;
    this.#endListening = this.#logs.onInserted((runs) => {
      const lines: LogLine[] = [];
      for (const { first, count } of runs) {
        const index = entries.indexOf(first);
        for (const entry of entries.slice(index, index + count)) {
          if (entry.kind === 'line') lines.push(entry.line);
        }
      }
      this.#take(lines);
    });
  }

  isConnected(): boolean {
    const { kind } = this.#logs.state.getState().connection;
    return kind === 'live' || kind === 'polling';
  }

  /** Takes the lines since the last step. Returns the conditions that hold now. */
  step(): readonly FoundCondition[] {
    const { clock } = this.#sources;
    this.#at += stepLength(this.#steppedAt, clock.now());
    this.#steppedAt = clock.now();
    const isSilent = !this.#hasLine;
    // Without a connection a step tells nothing, so that the line counts in the next one.
    if (this.isConnected()) this.#hasLine = false;
    return this.#followed.flatMap((each): readonly FoundCondition[] => {
      const { rule, line } = each;
      const { deployment } = this;
      const name = deploymentLabel(deployment);
      if (rule.condition.kind === 'silent') {
        const sentence = `${name} has written nothing for ${formatAge(rule.holdsFor)}.`;
        return isSilent ? [{ rule, sentence, deployment }] : [];
      }
      const { within, more } = rule.condition;
      each.counts = countWithin(each.counts, { at: this.#at, count: each.fresh }, within);
      each.fresh = 0;
      const sum = each.counts.reduce((total, one) => total + one.count, 0);
      if (sum <= more) return [];
      const sentence = `${name} has ${linesText(rule.condition, sum)}.`;
      return [{ rule, sentence, deployment, line }];
    });
  }

  stop(): void {
    this.#endListening();
    this.#logs.stop();
  }

  /** Counts lines, unless they were written before the log was opened. */
  #take(lines: readonly LogLine[]): void {
    const { clock } = this.#sources;
    const now = clock.serviceNow();
    const fresh = lines
      .map((line) => ({ line, time: rowTime(toRow(line)) ?? now }))
      .filter(({ time }) => time >= this.#openedAt - clockSlack);
    if (fresh.length === 0) return;
    // Events are lines of the host, which tells of a service that writes nothing, too.
    this.#hasLine ||= fresh.some(({ line }) => line.stream !== eventStream);
    const { id, name = id } = this.deployment;
    for (const each of this.#followed) {
      const { matcher, rule } = each;
      if (matcher === undefined || rule.condition.kind === 'silent') continue;
      const { within } = rule.condition;
      const find = () =>
        fresh.filter(({ line }) => matcher.matches(line.logLine, line.serviceName, [name, id]));
      const guard = matcher.isCheap ? unbounded : (clock.guard ?? unbounded);
      const found = guard(find, matchLimit);
      if (!found.ok) {
        each.matcher = undefined;
        this.#onTooSlow(rule);
        continue;
      }
      // Lines of a gap may be too old.
      each.fresh += found.value.filter(({ time }) => time > now - within - clockSlack).length;
      each.line = found.value.at(-1)?.line.logLine ?? each.line;
    }
  }
}

function matcherOf({ condition }: LogRule): LineMatcher | undefined {
  if (condition.kind !== 'lines') return undefined;
  const parsed = parseLineQuery(condition.query);
  return parsed.ok ? parsed.value : undefined;
}

/** Returns the clause about lines. It repeats none of them: they may hold secrets. */
function linesText(
  { query, more, within }: Extract<LogRule['condition'], { kind: 'lines' }>,
  count: number,
): string {
  const span = formatAge(within);
  const number = count.toLocaleString('en');
  if (!query.regex && query.text === 'level:error') {
    return `${number} ${count === 1 ? 'error' : 'errors'} in ${span}`;
  }
  if (more === 0) return `a line that matches "${query.text}"`;
  return `${number} lines that match "${query.text}" in ${span}`;
}
