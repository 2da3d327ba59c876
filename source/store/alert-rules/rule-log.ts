/** Follows the log of a deployment for rules on its lines. */
import { eventStream } from '../../contract/event-lines.ts';
import type { LogsClient } from '../../client/logs.ts';
import type { LogLine } from '../../contract/logs.ts';
import { rowTime, toRow } from '../../tail/arena/row.ts';
import { levelOf } from '../../tail/level.ts';
import { type LineMatcher, parseTextQuery } from '../../tail/query/log-query.ts';
import { createLogs } from '../log/feed/logs.ts';
import { type Clock, unbounded } from '../time/clock.ts';
import { stepLength } from './episodes.ts';
import { errorsOf, type LogSignal, noSignal, observeLog } from './log-signal.ts';
import type { LogRule } from './rule.ts';

export interface RuleLog {
  /** Takes the lines since the last step into the signals. */
  step(): void;
  isConnected(): boolean;
  isActive(rule: LogRule): boolean;
  /** Returns the errors in the span of the rule, and the line that matched last. */
  facts(rule: LogRule): RuleFacts;
  stop(): void;
}

export interface RuleFacts {
  readonly errors: number;
  /** The line that matched last. */
  readonly line: LogLine | undefined;
}

export interface RuleLogOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly clock: Clock & { serviceNow(): number };
  readonly random: () => number;
  readonly rules: readonly LogRule[];
  /** Called with each rule whose expression takes too long; it is not tried again. */
  readonly onTooSlow: (rule: LogRule) => void;
}

/** Lines are counted as they come, so that few are kept. */
const memory = { initialLines: 1, maxLines: 2000, maxBytes: 4 * 1024 * 1024 };

/** Milliseconds for an expression to test the lines of one message. */
const matchLimit = 250;

/** Milliseconds by which the estimated clock of the service may be wrong. */
const clockSlack = 2000;

interface Followed {
  readonly rule: LogRule;
  /** Undefined for rules without an expression, and for one that takes too long. */
  matcher: LineMatcher | undefined;
  signal: LogSignal;
  hasMatch: boolean;
  line: LogLine | undefined;
}

export function openRuleLog(options: RuleLogOptions): RuleLog {
  const { client, deploymentId, clock, random, rules } = options;
  const guard = clock.guard ?? unbounded;
  const openedAt = clock.serviceNow();
  const followed = rules.map(
    (rule): Followed => ({
      rule,
      matcher: matcherOf(rule),
      signal: noSignal,
      hasMatch: false,
      line: undefined,
    }),
  );
  /** Lines since the last step, and the times of errors among them. */
  let lines = 0;
  let errors: number[] = [];
  let steppedAt: number | undefined;
  const logs = createLogs({ client, deploymentId, clock, random, publishInterval: 250, ...memory });
  const { entries } = logs;

  const end = logs.onInserted((runs) => {
    const fresh: LogLine[] = [];
    for (const { first, count } of runs) {
      const index = entries.indexOf(first);
      for (const entry of entries.slice(index, index + count)) {
        if (entry.kind === 'line') take(entry.line, fresh);
      }
    }
    if (fresh.length > 0) for (const each of followed) match(each, fresh);
  });

  /** Counts a line, unless it was written before the log was opened. */
  function take(line: LogLine, fresh: LogLine[]): void {
    const time = rowTime(toRow(line)) ?? clock.serviceNow();
    if (time < openedAt - clockSlack) return;
    fresh.push(line);
    if (line.stream === eventStream) return;
    lines += 1;
    if (levelOf(line.logLine) === 'error') errors.push(time);
  }

  function match(each: Followed, fresh: readonly LogLine[]): void {
    const { matcher } = each;
    if (matcher === undefined) return;
    const find = () =>
      fresh.find(({ logLine, serviceName }) => matcher.matches(logLine, serviceName));
    const found = matcher.isCheap
      ? ({ ok: true, value: find() } as const)
      : guard(find, matchLimit);
    if (!found.ok) {
      each.matcher = undefined;
      options.onTooSlow(each.rule);
    } else if (found.value !== undefined) {
      each.hasMatch = true;
      each.line = found.value;
    }
  }

  function isConnected(): boolean {
    const { kind } = logs.state.getState().connection;
    return kind === 'live' || kind === 'polling';
  }

  return {
    isConnected,
    step() {
      const now = clock.now();
      const step = { elapsed: stepLength(steppedAt, now), isConnected: isConnected(), lines };
      for (const each of followed) {
        const { condition } = each.rule;
        // Lines of a gap may be too old for a rate.
        const since =
          condition.kind === 'errors' ? clock.serviceNow() - condition.within : undefined;
        const recent = since === undefined ? 0 : errors.filter((time) => time > since).length;
        const { hasMatch } = each;
        each.signal = observeLog(each.signal, condition, { ...step, errors: recent, hasMatch });
        each.hasMatch = false;
      }
      lines = 0;
      errors = [];
      steppedAt = now;
    },
    isActive: (rule) => followed.find((each) => each.rule === rule)?.signal.isActive === true,
    facts(rule) {
      const each = followed.find((one) => one.rule === rule);
      return { errors: errorsOf(each?.signal ?? noSignal), line: each?.line };
    },
    stop() {
      end();
      logs.stop();
    },
  };
}

function matcherOf({ condition }: LogRule): LineMatcher | undefined {
  if (condition.kind !== 'pattern') return undefined;
  const parsed = parseTextQuery({ text: condition.pattern, regex: true });
  return parsed.ok ? parsed.value : undefined;
}
