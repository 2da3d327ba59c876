import { type AlertRule, isLogRule } from '../../store/alert-rules/rule.ts';
import { narrowRules } from '../../store/alert-rules/narrow-rules.ts';
import { defaultRules } from '../../store/alert-rules/default-rules.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { type CommandProblem, usageProblem, requestProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { watchLive } from './watch-live.ts';
import { createRuleWatch } from '../../store/alert-rules/rule-watch.ts';
import { formatAlert } from './format-alert.ts';
import { createWatchedService } from './watched-service.ts';

/** Runs the rules of the service: once, or until a signal. */
export async function watchCommand(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<{ readonly once: boolean }>,
): Promise<ExitCode> {
  const { rules = defaultRules, quiet } = context.service.alerts;
  const found = await rulesAbout(context, args, rules);
  if (!found.ok) return context.output.fail(found.problem);
  return flags.once
    ? watchOnce(context, found.rules)
    : watchLive(context, { rules: found.rules, quiet });
}

type FoundRules =
  | { readonly ok: true; readonly rules: readonly AlertRule[] }
  | { readonly ok: false; readonly problem: CommandProblem };

/** Returns the rules about the named deployments; all rules without names. */
async function rulesAbout(
  { client, signal }: ServiceCommandContext,
  names: readonly string[],
  rules: readonly AlertRule[],
): Promise<FoundRules> {
  if (rules.length === 0) {
    const next = 'Add alerts to config.yaml; see docs/configuration.md.';
    return { ok: false, problem: usageProblem('There are no alert rules.', next) };
  }
  if (names.length === 0) return { ok: true, rules };
  const finder = createDeploymentFinder(client, signal);
  const deployments: Deployment[] = [];
  for (const name of names) {
    const found = await finder.find(name);
    if (!found.ok) return found;
    deployments.push(found.deployment);
  }
  const narrowed = narrowRules(rules, deployments);
  if (narrowed.length > 0) return { ok: true, rules: narrowed };
  const sentence = `No alert rule is about ${names.join(', ')}.`;
  return { ok: false, problem: usageProblem(sentence, 'Add one to config.yaml.') };
}

/** Looks at the lists once. Returns the exit code: that of alerts where a condition of a rule goes on. */
async function watchOnce(
  context: ServiceCommandContext,
  rules: readonly AlertRule[],
): Promise<ExitCode> {
  const { output, options } = context;
  const hasGrantRules = rules.some(({ condition }) => condition.kind === 'grant');
  const watched = createWatchedService(context, hasGrantRules);
  const watch = createRuleWatch({
    rules,
    quiet: undefined,
    sources: watched.sources,
    onAlert: () => {},
    onTooSlow: () => {},
  });
  try {
    const lists = hasGrantRules ? [watched.deployments, watched.grants] : [watched.deployments];
    for (const list of lists) {
      const read = await list.refresh();
      if (!read.ok) return output.fail(requestProblem(read.error));
    }
    const left = rules.filter(isLogRule).length;
    if (left > 0) {
      output.note(`--once leaves out rules on log lines: ${left}. hostdeck watch runs them.`);
    }
    const alerts = watch.check();
    const lines = alerts.map((alert) => formatAlert(alert, options.json));
    if (!options.quiet && lines.length > 0) await output.write(lines.join(''));
    return alerts.length > 0 ? exitCodes.alerts : exitCodes.done;
  } finally {
    watch.stop();
    watched.stop();
  }
}
