import { createRuleWatch } from '../../store/alert-rules/rule-watch.ts';
import { type AlertRule, isLogRule } from '../../store/alert-rules/rule.ts';
import { requestProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { formatAlert } from './format-alert.ts';
import { createWatchedService } from './watched-service.ts';

/** Looks at the lists once. Returns the exit code: that of alerts where a condition of a rule goes on. */
export async function watchOnce(
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
