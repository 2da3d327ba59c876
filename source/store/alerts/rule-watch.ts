/** Watches the conditions of rules, and tells each of their episodes once. */
import type { StoreApi } from 'zustand/vanilla';
import { mostRuleLogs } from '../../contract/rule-logs.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { LowDisk } from '../../contract/disk-header.ts';
import type { Attention } from './attention.ts';
import { isClosed } from '../deployments/deployments.ts';
import { createEndingSearch, type EndingSources } from '../grants/ending-search.ts';
import { endingText } from '../grants/ending-text.ts';
import type { Listing } from '../lists/listing.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import { type EndingGrant, findListConditions, type FoundCondition } from './conditions.ts';
import {
  type Episodes,
  type EpisodesKeeper,
  observeConditions,
  readEpisodes,
  storedEpisodes,
} from './episodes.ts';
import { RuleLog, type RuleLogSources } from './rule-log.ts';
import { type AlertRule, isAbout, isLogRule, type LogRule } from './rule.ts';

/** The parts of a service that rules look at. */
export interface RuleSources extends EndingSources, RuleLogSources {
  readonly clock: RuleLogSources['clock'];
  readonly deployments: Pick<StoreApi<Listing<Deployment>>, 'getState'>;
  readonly attention: Pick<Attention, 'state'>;
  /** Returns the name of an address; undefined where it has none. */
  readonly nameOf: (address: string) => string | undefined;
  /** Returns the space of the service's disk while that is low. */
  readonly lowDisk: () => LowDisk | undefined;
  /** Returns false while the service does not answer. */
  readonly isAnswering: () => boolean;
}

/** The receiver of what a watch finds. */
export interface RuleListener {
  /** Called with a condition that is told. @param at ms since the epoch. */
  onAlert(alert: FoundCondition, at: number): void;
  /** Called with a rule whose expression takes too long. */
  onTooSlow(rule: LogRule): void;
}

/** Milliseconds between two looks at the conditions. */
const interval = 1000;

/** Milliseconds between two times at which episodes that go on are stored. */
const keepInterval = 60_000;

export class RuleWatch {
  readonly #rules: readonly AlertRule[];
  readonly #sources: RuleSources;
  readonly #listener: RuleListener;
  readonly #keeper: EpisodesKeeper | undefined;
  /** Milliseconds before its end from which on a rule is about a grant; 0 where none is. */
  readonly #grantSpan: number;
  readonly #endings: ReturnType<typeof createEndingSearch>;
  /** The logs that rules read, by the id of their deployment. */
  readonly #logs = new Map<string, RuleLog>();
  #followedRows: readonly DecodedRecord<Deployment>[] | undefined;
  #episodes: Episodes = { at: undefined, byKey: new Map() };
  #keptAt = Number.NEGATIVE_INFINITY;
  #kept: ReadonlySet<string> = new Set();
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
    const spans = rules.map(({ condition }) => (condition.kind === 'grant' ? condition.within : 0));
    this.#grantSpan = Math.max(0, ...spans);
    this.#endings = createEndingSearch(sources, this.#grantSpan);
  }

  start(): void {
    const stored = readEpisodes(this.#keeper?.read(), this.#sources.clock.now());
    const byKey = new Map(
      stored.flatMap(([key, , heldFor, clearFor]) =>
        this.#subjectOf(key) === undefined
          ? []
          : [[key, { heldFor, clearFor, isTold: true }] as const],
      ),
    );
    this.#episodes = { at: undefined, byKey };
    this.#look();
  }

  /** Resolves when the told episodes are stored. */
  async stop(): Promise<void> {
    this.#cancel();
    for (const log of this.#logs.values()) log.stop();
    this.#logs.clear();
    if (this.#episodes.at !== undefined) await this.#keepEpisodes();
  }

  #look(): void {
    const { clock } = this.#sources;
    this.#followLogs();
    const logConditions = Array.from(this.#logs.values(), (log) => log.step()).flat();
    const found = new Map(
      [...this.listConditions(), ...logConditions].map((one) => [keyOf(one), one]),
    );
    const now = clock.now();
    const { episodes, told } = observeConditions(this.#episodes, {
      now,
      active: new Map(Array.from(found, ([key, { rule }]) => [key, rule.holdsFor])),
      isUnknown: (key) => this.#isUnknown(key),
    });
    this.#episodes = episodes;
    // The time has to be recent as well: it tells how long nothing watched.
    const isDue = episodes.byKey.size > 0 && Math.abs(now - this.#keptAt) >= keepInterval;
    if (told.length > 0 || isDue) void this.#keepEpisodes();
    for (const key of told) {
      const condition = found.get(key);
      if (condition !== undefined) this.#listener.onAlert(condition, now);
    }
    this.#cancel = clock.after(interval, () => this.#look());
  }

  #keepEpisodes(): Promise<void> | undefined {
    if (this.#keeper === undefined) return undefined;
    const { byKey } = this.#episodes;
    this.#keptAt = this.#sources.clock.now();
    const stored = storedEpisodes(this.#keeper.read(), byKey, this.#kept, this.#keptAt);
    this.#kept = new Set(byKey.keys());
    return this.#keeper.write(stored);
  }

  /** Returns the conditions that the lists tell now. */
  listConditions(): readonly FoundCondition[] {
    const { deployments, attention, lowDisk } = this.#sources;
    const { conditions, alerting } = attention.state.getState();
    return findListConditions(this.#rules, {
      deployments: deployments.getState(),
      conditions,
      alerting,
      lowDisk: lowDisk(),
      endings: this.#grantSpan === 0 ? [] : this.#endingGrants(),
    });
  }

  #endingGrants(): readonly EndingGrant[] {
    const { grants, nameOf, clock } = this.#sources;
    const { rows } = grants.getState();
    const now = clock.serviceNow();
    return Array.from(this.#endings()).flatMap(([id, end]) => {
      const grant = rowWithId(rows, id)?.value;
      if (grant === undefined) return [];
      const text = endingText(grant, end, nameOf(grant.grantor), now);
      return [{ grant, left: (end.at ?? Infinity) - now, text }];
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
    const ids = new Set(wanted.map(({ id }) => id));
    for (const [id, log] of this.#logs) {
      if (ids.has(id)) continue;
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
      const onTooSlow = (rule: LogRule): void => this.#listener.onTooSlow(rule);
      this.#logs.set(deployment.id, new RuleLog(deployment, about, this.#sources, onTooSlow));
    }
  }

  /** Returns whether nothing is known about a condition: its service or its log does not answer. */
  #isUnknown(key: string): boolean {
    const subject = this.#subjectOf(key);
    const isLog = subject !== undefined && isLogRule(subject.rule);
    const log = isLog ? this.#logs.get(subject.id) : undefined;
    return log === undefined ? !this.#sources.isAnswering() : !log.isConnected();
  }

  /** Returns the rule and the id of a key; undefined for one of other rules. */
  #subjectOf(key: string): { readonly rule: AlertRule; readonly id: string } | undefined {
    const rule = this.#rules.find((one) => key.startsWith(ruleKey(one)));
    return rule && { rule, id: key.slice(ruleKey(rule).length) };
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
