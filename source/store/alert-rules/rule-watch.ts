/** Watches the conditions of rules, and tells each of their episodes once. */
import type { StoreApi } from 'zustand/vanilla';
import type { Deployment } from '../../contract/deployments.ts';
import type { LowDisk } from '../../contract/disk-header.ts';
import type { LogsClient } from '../../client/logs.ts';
import type { Attention } from '../attention/attention.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import type { Listing } from '../lists/listing.ts';
import type { Clock } from '../time/clock.ts';
import { conditionKey, parseConditionKey } from './condition-key.ts';
import { type Episodes, noEpisodes, observeConditions } from './episodes.ts';
import { createGrantConditions, type GrantSources } from './grant-conditions.ts';
import { findListConditions } from './list-conditions.ts';
import { isQuiet, type QuietHours } from './quiet-hours.ts';
import { type EpisodesKeeper, readEpisodes, storedEpisodes } from './remembered-episodes.ts';
import type { FoundCondition, RuleAlert } from './rule-alert.ts';
import type { AlertRule, LogRule } from './rule.ts';
import { createRuleLogs } from './rule-logs.ts';
import { logSentence } from './sentences.ts';

/** The parts of a service that rules look at. */
export interface RuleSources extends GrantSources {
  readonly deployments: Pick<StoreApi<Listing<Deployment>>, 'getState'>;
  readonly attention: Pick<Attention, 'state'>;
  readonly client: LogsClient;
  readonly clock: Clock & { serviceNow(): number };
  readonly random: () => number;
  /** Returns the space of the service's disk while that is low. */
  readonly lowDisk: () => LowDisk | undefined;
  /** Returns false while the service does not answer. */
  readonly isAnswering: () => boolean;
}

export interface RuleWatch {
  start(): void;
  /** Returns the alerts of the lists as they are now, without their logs. */
  check(): readonly RuleAlert[];
  stop(): void;
}

/** Milliseconds between two looks at the conditions. */
const interval = 1000;

/** Milliseconds between two times at which episodes that go on are stored. */
const keepInterval = 60_000;

export function createRuleWatch(options: {
  readonly rules: readonly AlertRule[];
  readonly quiet: QuietHours | undefined;
  readonly sources: RuleSources;
  readonly onAlert: (alert: RuleAlert) => void;
  /** Called with a rule whose expression takes too long. */
  readonly onTooSlow: (rule: LogRule) => void;
  /** Remembers told episodes for the next start; without it, each start tells what goes on. */
  readonly keeper?: EpisodesKeeper | undefined;
}): RuleWatch {
  const { rules, quiet, sources, onAlert, onTooSlow, keeper } = options;
  const { clock, client, random } = sources;
  const grants = createGrantConditions(rules, sources);
  const logs = createRuleLogs(rules, { client, clock, random, onTooSlow });
  let episodes: Episodes = noEpisodes;
  let keptAt = Number.NEGATIVE_INFINITY;
  let cancel = (): void => {};

  function keepEpisodes(): void {
    if (keeper === undefined) return;
    keptAt = clock.now();
    keeper.write(storedEpisodes(keeper.read(), episodes.byKey, rules, keptAt));
  }

  /** Returns the conditions that the lists tell, by their keys. */
  function listConditions(): ReadonlyMap<string, FoundCondition> {
    const { rows, error } = sources.deployments.getState();
    const { conditions, alerting } = sources.attention.state.getState();
    const isRejected = error?.code === 'unauthorized';
    const lowDisk = sources.lowDisk();
    const found = findListConditions(rules, { rows, conditions, alerting, isRejected, lowDisk });
    return new Map([...found, ...grants.find()]);
  }

  function logConditions(): ReadonlyMap<string, FoundCondition> {
    const found = new Map<string, FoundCondition>();
    for (const [id, { deployment, rules: read, log }] of logs.open()) {
      log.step();
      for (const rule of read) {
        if (!log.isActive(rule)) continue;
        const facts = log.facts(rule);
        const sentence = logSentence(rule, deploymentLabel(deployment), facts.errors);
        const line = rule.condition.kind === 'pattern' ? facts.line?.logLine : undefined;
        found.set(conditionKey({ source: 'log', rule: rules.indexOf(rule), id }), {
          rule,
          sentence,
          deployment,
          line,
        });
      }
    }
    return found;
  }

  /** Returns whether nothing is known about a condition: its service or its log does not answer. */
  function isUnknown(key: string): boolean {
    const { source, id } = parseConditionKey(key);
    if (source !== 'log') return !sources.isAnswering();
    return logs.open().get(id)?.log.isConnected() === false;
  }

  function look(): void {
    logs.follow(sources.deployments.getState().rows);
    const found = new Map([...listConditions(), ...logConditions()]);
    const now = clock.now();
    const observation = { now, isQuiet: isQuiet(quiet, now), active: found.keys(), isUnknown };
    const step = observeConditions(episodes, observation);
    ({ episodes } = step);
    // The time has to be recent as well: it tells how long nothing watched.
    const isDue = episodes.byKey.size > 0 && Math.abs(now - keptAt) >= keepInterval;
    if (step.told.length > 0 || isDue) keepEpisodes();
    for (const { key, isHeld } of step.told) {
      const condition = found.get(key);
      if (condition !== undefined) onAlert({ ...condition, at: now, isHeld });
    }
    cancel = clock.after(interval, look);
  }

  return {
    start() {
      const byKey = readEpisodes(keeper?.read(), rules, clock.now());
      episodes = { ...noEpisodes, byKey };
      look();
    },
    check() {
      const at = clock.now();
      return Array.from(listConditions().values(), (found) => ({ ...found, at, isHeld: false }));
    },
    stop() {
      cancel();
      if (episodes.at !== undefined) keepEpisodes();
      logs.stop();
    },
  };
}
