/** Opens the logs that rules read, as deployments with their names come and go. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { mostRuleLogs } from '../../contract/rule-logs.ts';
import { isClosed } from '../deployments/deployments.ts';
import { isAbout, isLogRule, type AlertRule, type LogRule } from './rule.ts';
import { openRuleLog, type RuleLog, type RuleLogOptions } from './rule-log.ts';

/** A log, and the rules that read it. */
export interface ReadLog {
  readonly deployment: Deployment;
  readonly rules: readonly LogRule[];
  readonly log: RuleLog;
}

export interface RuleLogs {
  /** Opens the logs of listed deployments that rules name, and leaves those of others. */
  follow(rows: readonly DecodedRecord<Deployment>[]): void;
  /** Returns the open logs, by the id of the deployment. */
  open(): ReadonlyMap<string, ReadLog>;
  stop(): void;
}

export function createRuleLogs(
  rules: readonly AlertRule[],
  options: Omit<RuleLogOptions, 'deploymentId' | 'rules'>,
): RuleLogs {
  const logRules = rules.filter(isLogRule);
  const logs = new Map<string, ReadLog>();
  let followed: readonly DecodedRecord<Deployment>[] | undefined;

  return {
    follow(rows) {
      if (logRules.length === 0 || rows === followed) return;
      followed = rows;
      const wanted = rows
        .map(({ value }) => value)
        .filter((one) => !isClosed(one) && logRules.some((rule) => isAbout(rule, one)))
        .slice(0, mostRuleLogs);
      const ids = new Set(wanted.map(({ id }) => id));
      for (const [id, { log }] of logs) {
        if (ids.has(id)) continue;
        log.stop();
        logs.delete(id);
      }
      for (const deployment of wanted) {
        const { id } = deployment;
        const known = logs.get(id);
        const read = logRules.filter((rule) => isAbout(rule, deployment));
        const log = known?.log ?? openRuleLog({ ...options, deploymentId: id, rules: read });
        logs.set(id, { deployment, rules: known?.rules ?? read, log });
      }
    },
    open: () => logs,
    stop() {
      for (const { log } of logs.values()) log.stop();
      logs.clear();
    },
  };
}
