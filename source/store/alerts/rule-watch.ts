/** Watches the conditions of rules, and tells each of their episodes once. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { mostRuleLogs } from '../../contract/logs.ts';
import { isClosed } from '../deployments/deployments.ts';
import { createEndingSearch } from '../grants/ending-search.ts';
import { alertKind, type AlertSources, describeAlert, findAlerts } from './alert.ts';
import {
  type AlertRule,
  type FoundCondition,
  grantSpan,
  isAbout,
  isLogRule,
  logSpan,
} from './rule.ts';
import { lookInterval, RuleLog, type RuleLogSources } from './rule-log.ts';

/** The parts of a service that rules look at. */
export interface RuleSources extends AlertSources, RuleLogSources {
  readonly clock: RuleLogSources['clock'];
  /** Returns false while the service does not answer. */
  readonly isAnswering: () => boolean;
}

/** The receiver of what a watch finds. */
export interface RuleListener {
  /** Called with a condition that is told. @param at ms since the epoch. */
  onAlert(alert: FoundCondition, at: number): void;
  /** Called with a rule whose expression takes too long. */
  onTooSlow(rule: AlertRule): void;
}

/** Stores the told episodes of one service, so that the next start doesn't tell them again. */
export interface EpisodesKeeper {
  read(): unknown;
  /** Resolves when the file holds this value or a later one. */
  write(stored: unknown): Promise<void>;
}

/**
 * The time during which a condition goes on, counted in looks: a clock that is set, or a machine that
 * slept, changes none of it.
 */
export interface Episode {
  /** Looks at which the condition held without a break, and looks since then. */
  readonly held: number;
  readonly clear: number;
  readonly isTold: boolean;
}

const noEpisode: Episode = { held: 0, clear: 0, isTold: false };

/** Looks without its condition that end an episode: five minutes. */
const clearLooks = 300_000 / lookInterval;

/**
 * Returns an episode after a look; undefined once it is over.
 * @param isHeld whether the condition holds, as far as it was known last.
 * @param isKnown false while nothing is known about it.
 * @param holdsFor milliseconds for which it must hold before it is told.
 */
export function nextEpisode(
  { held, clear, isTold }: Episode = noEpisode,
  isHeld: boolean,
  isKnown: boolean,
  holdsFor: number,
): Episode | undefined {
  const step = isKnown ? 1 : 0;
  if (isHeld) {
    const looks = Math.max(1, held + step);
    return { held: looks, clear: 0, isTold: isTold || looks * lookInterval > holdsFor };
  }
  const isOpen = isTold && clear + step < clearLooks;
  const waited = isKnown ? 0 : held;
  return isOpen || waited > 0 ? { held: waited, clear: clear + step, isTold: isOpen } : undefined;
}

/**
 * Milliseconds for which an episode is remembered while nothing watches. After that it may have been
 * another one, and a person who has not looked for so long is told again.
 */
const rememberedSpan = 3_600_000;

/** Milliseconds between two times at which episodes that go on are stored. */
const storeInterval = 60_000;

export class RuleWatch {
  readonly #rules: readonly AlertRule[];
  readonly #sources: RuleSources;
  readonly #listener: RuleListener;
  readonly #keeper: EpisodesKeeper | undefined;
  readonly #endings: ReturnType<typeof createEndingSearch>;
  /** The logs that rules read, by the id of their deployment. */
  readonly #logs = new Map<string, RuleLog>();
  #followedRows: readonly DecodedRecord<Deployment>[] | undefined;
  /** Episodes by the key of their condition. */
  readonly #episodes = new Map<string, Episode>();
  #storedKeys: readonly string[] = [];
  #storedAt = Number.NEGATIVE_INFINITY;
  #cancel = (): void => {};

  /** @param keeper remembers told episodes; without it, each start tells what holds. */
  constructor(
    rules: readonly AlertRule[],
    sources: RuleSources,
    listener: RuleListener,
    keeper?: EpisodesKeeper,
  ) {
    this.#rules = rules;
    this.#sources = sources;
    this.#listener = listener;
    this.#keeper = keeper;
    this.#endings = createEndingSearch(sources, Math.max(0, ...rules.map(grantSpan)));
  }

  start(): void {
    for (const key of this.#rememberedEpisodes().keys()) {
      if (this.#subjectOf(key) !== undefined)
        this.#episodes.set(key, { ...noEpisode, isTold: true });
    }
    this.#look();
  }

  /** Resolves when the told episodes are stored. */
  async stop(): Promise<void> {
    this.#cancel();
    for (const log of this.#logs.values()) log.stop();
    this.#logs.clear();
    await this.#storeEpisodes();
  }

  #look(): void {
    const { clock } = this.#sources;
    this.#followLogs();
    const ofLogs = Array.from(this.#logs.values(), (log) => log.look()).flat();
    const found = new Map([...this.listConditions(), ...ofLogs].map((one) => [keyOf(one), one]));
    const told: FoundCondition[] = [];
    for (const key of new Set([...found.keys(), ...this.#episodes.keys()])) {
      const condition = found.get(key);
      const before = this.#episodes.get(key);
      const isKnown = this.#isKnown(key, condition !== undefined);
      const { holdsFor = 0 } = condition?.rule ?? {};
      const next = nextEpisode(before, condition !== undefined, isKnown, holdsFor);
      if (next === undefined) this.#episodes.delete(key);
      else this.#episodes.set(key, next);
      const isNews = next?.isTold === true && before?.isTold !== true;
      if (isNews && condition !== undefined) told.push(condition);
    }
    const now = clock.now();
    // The time has to be recent as well: it tells how long nothing watched.
    const isDue = this.#episodes.size > 0 && Math.abs(now - this.#storedAt) >= storeInterval;
    if (told.length > 0 || isDue) void this.#storeEpisodes();
    for (const condition of told) this.#listener.onAlert(condition, now);
    this.#cancel = clock.after(lookInterval, () => this.#look());
  }

  /** Returns whether the service and the log tell whether a condition holds. */
  #isKnown(key: string, isFound: boolean): boolean {
    const { rule, log } = this.#subjectOf(key) ?? {};
    if (rule === undefined || log === undefined) return this.#sources.isAnswering();
    // The lines before the log was opened are not known.
    return log.isConnected() && (isFound || log.followedFor >= logSpan(rule));
  }

  /** Returns what a key is about; undefined for one of other rules. */
  #subjectOf(
    key: string,
  ): { readonly rule: AlertRule; readonly log: RuleLog | undefined } | undefined {
    const rule = this.#rules.find((one) => key.startsWith(ruleKey(one)));
    if (rule === undefined) return undefined;
    const id = key.slice(ruleKey(rule).length);
    return { rule, log: isLogRule(rule) ? this.#logs.get(id) : undefined };
  }

  /** Returns the times of the told episodes that were stored a short time before, by their keys. */
  #rememberedEpisodes(): Map<string, unknown> {
    const now = this.#sources.clock.now();
    const stored = this.#keeper?.read();
    const isRecent = (at: unknown): boolean =>
      typeof at === 'number' && now >= at && now - at < rememberedSpan;
    return new Map(Object.entries(stored ?? {}).filter(([, at]) => isRecent(at)));
  }

  /** Stores the told episodes, and leaves those of another watch as they are. */
  async #storeEpisodes(): Promise<void> {
    this.#storedAt = this.#sources.clock.now();
    const stored = this.#rememberedEpisodes();
    for (const key of this.#storedKeys) stored.delete(key);
    this.#storedKeys = [...this.#episodes].flatMap(([key, { isTold }]) => (isTold ? [key] : []));
    for (const key of this.#storedKeys) stored.set(key, this.#storedAt);
    await this.#keeper?.write(Object.fromEntries(stored));
  }

  /** Returns the conditions that the lists tell now, in the order of their rules. */
  listConditions(): readonly FoundCondition[] {
    const sources = this.#sources;
    const endings = this.#endings();
    const now = sources.clock.serviceNow();
    const alerts = findAlerts(sources, endings);
    return this.#rules.flatMap((rule) => {
      const { condition } = rule;
      if (condition.kind !== 'deployment' && condition.kind !== 'service') return [];
      return alerts.flatMap((alert): readonly FoundCondition[] => {
        const kind = alertKind(sources, alert);
        if (kind === undefined || !condition.alerts.includes(kind)) return [];
        const described = describeAlert(sources, endings, alert);
        if (described === undefined) return [];
        const { text, facts, deployment, grant } = described;
        if (deployment !== undefined && !isAbout(rule, deployment)) return [];
        const end = grant && endings.get(grant.id)?.at;
        if (end !== undefined && end - now > grantSpan(rule)) return [];
        return [{ rule, sentence: `${text}${facts}.`, deployment, grant }];
      });
    });
  }

  /** Opens the logs of listed deployments that rules name, and leaves those of others. */
  #followLogs(): void {
    const rules = this.#rules.filter(isLogRule);
    const { rows } = this.#sources.deployments.getState();
    if (rules.length === 0 || rows === this.#followedRows) return;
    this.#followedRows = rows;
    const wanted = rows
      .map(({ value }) => value)
      .filter((one) => !isClosed(one) && rules.some((rule) => isAbout(rule, one)))
      .slice(0, mostRuleLogs);
    for (const [id, log] of this.#logs) {
      if (wanted.some((one) => one.id === id)) continue;
      log.stop();
      this.#logs.delete(id);
    }
    for (const deployment of wanted) {
      const known = this.#logs.get(deployment.id);
      if (known !== undefined) {
        known.deployment = deployment;
        continue;
      }
      const about = rules.filter((rule) => isAbout(rule, deployment));
      const onTooSlow = (rule: AlertRule): void => this.#listener.onTooSlow(rule);
      this.#logs.set(deployment.id, new RuleLog(deployment, about, this.#sources, onTooSlow));
    }
  }
}

/** Returns the key of a condition: two rules that do the same about one deployment are told once. */
function keyOf({ rule, deployment, grant }: FoundCondition): string {
  return ruleKey(rule) + (deployment?.id ?? grant?.id ?? '');
}

/** Returns the start of a rule's keys. The order of rules may change, and a watch may name deployments. */
function ruleKey({ when, holdsFor, action }: AlertRule): string {
  return JSON.stringify([when, holdsFor, action]);
}
