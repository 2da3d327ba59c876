import { createStore } from 'zustand/vanilla';
import type { ServiceError } from '../../client/http/errors.ts';
import { defaultRules } from '../../config/read-alerts.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { createStateEntry } from '../../disk/state-entry.ts';
import type { FoundCondition } from '../../store/alerts/conditions.ts';
import { type AlertRule, isLogRule, missingNames, narrowRules } from '../../store/alerts/rule.ts';
import { type RuleListener, type RuleSources, RuleWatch } from '../../store/alerts/rule-watch.ts';
import { createAttention } from '../../store/alerts/attention.ts';
import { createPolling } from '../../store/deck/polling.ts';
import { createDeployments } from '../../store/deployments/deployments.ts';
import { createGrants } from '../../store/grants/grants.ts';
import { createGrantRates } from '../../store/grants/spend-rates.ts';
import type { Reach } from '../../store/lists/reach.ts';
import type { Restarts } from '../../store/restarts/state.ts';
import { createKeyPause } from '../../store/time/key-pause.ts';
import { notificationBytes, notificationProtocol } from '../../terminal/notification.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { type CommandProblem, requestProblem, usageProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { AlertCommands } from './alert-commands.ts';

/** Runs the rules of the service: once, or until a signal. */
export async function watchCommand(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<{ readonly once: boolean }>,
): Promise<ExitCode> {
  const found = await rulesAbout(context, args, context.service.alerts ?? defaultRules);
  if (!found.ok) return context.output.fail(found.problem);
  const watched = openWatchedService(context, found.rules);
  try {
    return await (flags.once ? watchOnce : watchLive)(context, found.rules, watched);
  } finally {
    watched.stop();
  }
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

/** Milliseconds between two fetches of the grants. */
const grantsInterval = 10_000;

type WatchedService = ReturnType<typeof openWatchedService>;

/** Returns the lists of a service, as far as rules look at them, and what fetches them again and again. */
function openWatchedService(
  { client, clock: machine, service }: ServiceCommandContext,
  rules: readonly AlertRule[],
) {
  const hasGrantRules = rules.some(({ condition }) => condition.kind === 'grant');
  const serviceNow = (at = machine.now()): number => at + client.clockOffset();
  const clock = { ...machine, serviceNow };
  const keyPause = createKeyPause(clock);
  const deployments = createDeployments({ client: client.deployments, clock });
  const { wallet } = service.profile;
  const grants = createGrants({ client: client.grants, clock, wallet });
  const rates = createGrantRates({ list: grants.list, serviceNow });
  const attention = createAttention({
    deployments: deployments.list.state,
    // Restarts belong to the console that requested them.
    restarts: createStore<Restarts>(() => new Map()),
    clock,
    keyPause,
  });
  const polling = createPolling({
    clock,
    probe: () => deployments.list.refresh(),
    tasks: hasGrantRules ? [{ interval: grantsInterval, run: () => grants.list.refresh() }] : [],
  });
  const sources: RuleSources = {
    clock,
    client: client.logs,
    random: Math.random,
    deployments: deployments.list.state,
    attention,
    grants: grants.list.state,
    rateOf: (id) => rates.rateOf(id),
    wallet: () => grants.wallet(),
    nameOf: () => undefined,
    lowDisk: () => client.lowDisk(),
    isAnswering: () => polling.reach.getState().kind === 'up',
  };
  return {
    sources,
    deployments: deployments.list.state,
    lists: hasGrantRules ? [deployments.list, grants.list] : [deployments.list],
    reach: polling.reach,
    start: () => polling.start(),
    stop() {
      polling.stop();
      attention.stop();
    },
  };
}

/** Looks at the lists once. Returns the exit code: that of alerts where a condition of a rule holds. */
async function watchOnce(
  { output, options, clock }: ServiceCommandContext,
  rules: readonly AlertRule[],
  { sources, lists }: WatchedService,
): Promise<ExitCode> {
  for (const list of lists) {
    const read = await list.refresh();
    if (!read.ok) return output.fail(requestProblem(read.error));
  }
  const left = rules.filter(isLogRule).length;
  if (left > 0) {
    output.note(`--once leaves out rules on log lines: ${left}. hostdeck watch runs them.`);
  }
  const watch = new RuleWatch(rules, sources, { onAlert: () => {}, onTooSlow: () => {} });
  const alerts = watch.listConditions();
  const lines = alerts.map((alert) => formatAlert(alert, clock.now(), options.json));
  if (!options.quiet && lines.length > 0) await output.write(lines.join(''));
  return alerts.length > 0 ? exitCodes.alerts : exitCodes.done;
}

/** The reason for which a watch ends. */
type WatchEnd =
  | { readonly kind: 'interrupted' | 'reader gone' }
  /** The service refuses the list for good. */
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** Milliseconds in which the alert about a rejected token is still told. */
const lastLook = 1500;

/** Prints each alert of the rules. Resolves with the exit code after a signal, or a refusal. */
async function watchLive(
  context: ServiceCommandContext,
  rules: readonly AlertRule[],
  watched: WatchedService,
): Promise<ExitCode> {
  const { client, clock, output, signal, folders, service } = context;
  const { promise: ended, resolve: end } = Promise.withResolvers<WatchEnd>();
  const print = async (alert: FoundCondition, at: number): Promise<void> => {
    const text = textOf(context, alert, at);
    if (text !== '' && !(await output.write(text))) end({ kind: 'reader gone' });
  };
  const commands = new AlertCommands(service.baseUrl, clock, (sentence) => output.note(sentence));
  const listener: RuleListener = {
    onAlert(alert, at) {
      if (typeof alert.rule.action === 'object') commands.run(alert.rule.action.run, alert);
      void print(alert, at);
    },
    onTooSlow: ({ when }) => output.note(`The rule ${when} takes too long and is off.`),
  };
  const key = `${service.profile.name} ${service.stateKey}`;
  const keeper = createStateEntry(folders.state, 'watch.json', key);
  const watch = new RuleWatch(rules, watched.sources, listener, keeper);
  const interrupt = (): void => end({ kind: 'interrupted' });
  const stops = [
    watched.deployments.subscribe(({ error, loadedAt, rows }, before) => {
      if (loadedAt !== undefined && before.loadedAt === undefined) {
        for (const name of missingNames(rules, rows)) {
          output.note(`No deployment is named ${name} yet; its rules wait for one.`);
        }
      }
      if (error === undefined || error === before.error) return;
      if (error.code !== 'unauthorized' && error.code !== 'forbidden') return;
      clock.after(lastLook, () => end({ kind: 'refused', error }));
    }),
    watched.reach.subscribe((now, before) => {
      const sentence = reachNote(now, before, client.host);
      if (sentence !== undefined) output.note(sentence);
    }),
    () => signal.removeEventListener('abort', interrupt),
    () => commands.stop(),
  ];
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  watched.start();
  watch.start();
  const count = rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  output.note(`Watching ${count} on ${client.host}.`);
  try {
    const reason = await ended;
    if (reason.kind === 'refused') return output.fail(requestProblem(reason.error));
    return reason.kind === 'interrupted' ? exitCodes.interrupted : exitCodes.done;
  } finally {
    for (const stop of stops) stop();
    await watch.stop();
  }
}

/** Returns what an alert writes: the bell or a notification on a terminal, and its line. */
function textOf(
  { options, isTerminal, env }: ServiceCommandContext,
  alert: FoundCondition,
  at: number,
): string {
  const { action } = alert.rule;
  const protocol = action === 'notify' ? notificationProtocol(env) : 'bell';
  const isHeard = isTerminal && typeof action !== 'object';
  const sound = isHeard ? notificationBytes(protocol, alert.sentence) : '';
  return sound + (options.quiet ? '' : formatAlert(alert, at, options.json));
}

/** Returns what a change of the reach means; undefined for one that means nothing new. */
function reachNote(now: Reach, before: Reach, host: string): string | undefined {
  if (now.kind === 'away' && before.kind !== 'away') return `${now.error.sentence} Retrying.`;
  return now.kind === 'up' && before.kind === 'away' ? `${host} answers again.` : undefined;
}

/** Most characters of a log line in a text; JSON has all of it. */
const mostCharacters = 500;

/** Returns the line of an alert with its end: text for people, or an object for programs. */
function formatAlert(
  { rule, sentence, deployment, grant, line }: FoundCondition,
  at: number,
  isJson: boolean,
): string {
  const time = new Date(at).toISOString();
  if (!isJson) {
    const quoted = line === undefined ? '' : ` ${line.slice(0, mostCharacters)}`;
    return `${sanitize(`${time} ${sentence}${quoted}`, { tab: 1 })}\n`;
  }
  const record = {
    at: time,
    when: rule.when,
    sentence,
    ...(deployment !== undefined && { deployment: { id: deployment.id, name: deployment.name } }),
    ...(grant !== undefined && { grant: { id: grant.id } }),
    ...(line !== undefined && { line }),
  };
  return `${JSON.stringify(record)}\n`;
}
