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
import { type Clock, guardOf } from '../time/clock.ts';
import type { AlertRule, FoundCondition, RuleCondition } from './rule.ts';

/** Milliseconds between two looks at the conditions. */
export const lookInterval = 1000;

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

/** The lines that match a rule. */
interface CountedLines {
  readonly rule: AlertRule;
  readonly condition: Extract<RuleCondition, { kind: 'lines' }>;
  /** Undefined for a query that takes too long. */
  matcher: LineMatcher | undefined;
  /** Lines since the last look. */
  fresh: number;
  /** Lines of the looks within the time of the rule, by the number of the look. */
  counts: readonly { readonly look: number; readonly count: number }[];
  /** The line that matched last. */
  line: string | undefined;
}

export class RuleLog {
  /** The record of the last list. */
  deployment: Deployment;
  readonly #silences: readonly { readonly rule: AlertRule; readonly within: number }[];
  readonly #counted: readonly CountedLines[];
  readonly #sources: RuleLogSources;
  readonly #onTooSlow: (rule: AlertRule) => void;
  readonly #openedAt: number;
  readonly #logs: FollowedLog;
  readonly #endListening: () => void;
  #looks = 0;
  /** Looks with a connection since the last line of the service. */
  #silentLooks = 0;

  /** @param onTooSlow called with each rule whose expression takes too long; it is not tried again. */
  constructor(
    deployment: Deployment,
    rules: readonly AlertRule[],
    sources: RuleLogSources,
    onTooSlow: (rule: AlertRule) => void,
  ) {
    this.deployment = deployment;
    this.#silences = rules.flatMap((rule) => {
      const { condition } = rule;
      return condition.kind === 'silent' ? [{ rule, within: condition.within }] : [];
    });
    this.#counted = rules.flatMap((rule) => {
      const { condition } = rule;
      if (condition.kind !== 'lines') return [];
      const parsed = parseLineQuery(condition.query);
      const matcher = parsed.ok ? parsed.value : undefined;
      return [{ rule, condition, matcher, fresh: 0, counts: [], line: undefined }];
    });
    this.#sources = sources;
    this.#onTooSlow = onTooSlow;
    this.#openedAt = sources.clock.serviceNow();
    const { id: deploymentId } = deployment;
    this.#logs = new FollowedLog({ ...sources, deploymentId, publishInterval: 250, ...memory });
    const { entries } = this.#logs;
    this.#endListening = this.#logs.onInserted((runs) => {
      const inserted = runs.flatMap(({ first, count }) => {
        const index = entries.indexOf(first);
        return entries.slice(index, index + count);
      });
      this.#take(inserted.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : [])));
    });
  }

  isConnected(): boolean {
    const { kind } = this.#logs.state.getState().connection;
    return kind === 'live' || kind === 'polling';
  }

  /** Milliseconds for which the log has been followed, as far as looks count. */
  get followedFor(): number {
    return this.#looks * lookInterval;
  }

  /** Looks at the lines since the last look. Returns the conditions that hold now. */
  look(): readonly FoundCondition[] {
    this.#looks += 1;
    if (this.isConnected()) this.#silentLooks += 1;
    const { deployment } = this;
    const name = deploymentLabel(deployment);
    const silentFor = this.#silentLooks * lookInterval;
    const silent = this.#silences
      .filter(({ within }) => silentFor >= within)
      .map(({ rule }) => {
        const sentence = `${name} has written nothing for ${formatAge(silentFor)}.`;
        return { rule, sentence, deployment };
      });
    const found = this.#counted.flatMap((each): readonly FoundCondition[] => {
      const { rule, condition, line } = each;
      const counts = [...each.counts, { look: this.#looks, count: each.fresh }];
      each.counts = counts.filter(
        ({ look, count }) => count > 0 && (this.#looks - look) * lookInterval < condition.within,
      );
      each.fresh = 0;
      const sum = each.counts.reduce((total, { count }) => total + count, 0);
      if (sum <= condition.more) return [];
      return [{ rule, sentence: `${name} has ${linesText(condition, sum)}.`, deployment, line }];
    });
    return [...silent, ...found];
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
    // Events are lines of the host, which tells of a service that writes nothing, too.
    if (fresh.some(({ line }) => line.stream !== eventStream)) this.#silentLooks = 0;
    const { id, name = id } = this.deployment;
    for (const each of this.#counted) {
      const { matcher, condition } = each;
      if (matcher === undefined) continue;
      const find = () =>
        fresh.filter(({ line }) => matcher.matches(line.logLine, line.serviceName, [name, id]));
      const found = guardOf(matcher.isCheap ? {} : clock)(find, matchLimit);
      if (!found.ok) {
        each.matcher = undefined;
        this.#onTooSlow(each.rule);
        continue;
      }
      // Lines of a gap may be too old.
      const oldest = now - condition.within - clockSlack;
      each.fresh += found.value.filter(({ time }) => time > oldest).length;
      each.line = found.value.at(-1)?.line.logLine ?? each.line;
    }
  }
}

/** Returns the clause about lines. It repeats none of them: they may hold secrets. */
function linesText({ query, more, within }: CountedLines['condition'], count: number): string {
  const span = formatAge(within);
  const number = count.toLocaleString('en');
  if (!query.regex && query.text === 'level:error') {
    return `${number} ${count === 1 ? 'error' : 'errors'} in ${span}`;
  }
  if (more === 0) return `a line that matches "${query.text}"`;
  return `${number} lines that match "${query.text}" in ${span}`;
}
