import { createStore } from 'zustand/vanilla';
import type { ServiceError } from '../../client/http/errors.ts';
import { defaultRules } from '../../config/read-alerts.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { createStateEntry } from '../../disk/state-entry.ts';
import { createAttention } from '../../store/alerts/attention.ts';
import {
  type AlertRule,
  type FoundCondition,
  grantSpan,
  isLogRule,
  missingNames,
  narrowRules,
} from '../../store/alerts/rule.ts';
import { type RuleSources, RuleWatch } from '../../store/alerts/rule-watch.ts';
import { createPolling } from '../../store/deck/polling.ts';
import { createDeployments } from '../../store/deployments/deployments.ts';
import { createGrants } from '../../store/grants/grants.ts';
import { createGrantRates } from '../../store/grants/spend-rates.ts';
import type { Restarts } from '../../store/restarts/state.ts';
import { createKeyPause } from '../../store/time/key-pause.ts';
import { notificationBytes, notificationProtocol } from '../../terminal/notification.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { CommandFailure, requestProblem, usageProblem } from '../command-problem.ts';
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
  const rules = await rulesAbout(context, args);
  const watched = openWatchedService(context, rules);
  try {
    return await (flags.once ? watchOnce : watchLive)(context, rules, watched);
  } finally {
    watched.stop();
  }
}

/**
 * Resolves with the rules about the named deployments; all rules without names. Rejects with a
 * {@link CommandFailure} where there are none.
 */
async function rulesAbout(
  { client, signal, service }: ServiceCommandContext,
  names: readonly string[],
): Promise<readonly AlertRule[]> {
  const { alerts: rules = defaultRules } = service;
  if (rules.length === 0) {
    const next = 'Add alerts to config.yaml; see docs/configuration.md.';
    throw new CommandFailure(usageProblem('There are no alert rules.', next));
  }
  if (names.length === 0) return rules;
  const finder = createDeploymentFinder(client, signal);
  const deployments: Deployment[] = [];
  for (const name of names) {
    deployments.push((await finder.find(name)).deployment);
  }
  const narrowed = narrowRules(rules, deployments);
  if (narrowed.length > 0) return narrowed;
  const sentence = `No alert rule is about ${names.join(', ')}.`;
  throw new CommandFailure(usageProblem(sentence, 'Add one to config.yaml.'));
}

/** Milliseconds between two fetches of the grants. */
const grantsInterval = 10_000;

type WatchedService = ReturnType<typeof openWatchedService>;

/** Returns the lists of a service, as far as rules look at them, and what fetches them again and again. */
function openWatchedService(
  { client, clock: machine, service }: ServiceCommandContext,
  rules: readonly AlertRule[],
) {
  const hasGrantRules = rules.some((rule) => grantSpan(rule) > 0);
  const serviceNow = (at = machine.now()): number => at + client.clockOffset();
  const clock = { ...machine, serviceNow };
  const { wallet } = service.profile;
  const { list: deployments } = createDeployments({ client: client.deployments, clock });
  const grants = createGrants({ client: client.grants, clock, wallet });
  const rates = createGrantRates({ list: grants.list, serviceNow });
  const attention = createAttention({
    deployments: deployments.state,
    // Restarts belong to the console that requested them.
    restarts: createStore<Restarts>(() => new Map()),
    clock,
    keyPause: createKeyPause(clock),
  });
  const polling = createPolling({
    clock,
    probe: () => deployments.refresh(),
    tasks: hasGrantRules ? [{ interval: grantsInterval, run: () => grants.list.refresh() }] : [],
  });
  const sources: RuleSources = {
    clock,
    client: client.logs,
    random: Math.random,
    deployments: deployments.state,
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
    polling,
    lists: hasGrantRules ? [deployments, grants.list] : [deployments],
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

/** The reason for which a watch ends: a signal, a closed pipe, or a service that refuses the list for good. */
type WatchEnd = 'interrupted' | 'reader gone' | ServiceError;

/** Milliseconds in which the alert about a rejected token is still told. */
const lastLook = 1500;

/** Prints each alert of the rules. Resolves with the exit code after a signal, or a refusal. */
async function watchLive(
  context: ServiceCommandContext,
  rules: readonly AlertRule[],
  { sources, polling }: WatchedService,
): Promise<ExitCode> {
  const { client, clock, env, output, signal, folders, service } = context;
  const { promise: ended, resolve: end } = Promise.withResolvers<WatchEnd>();
  const note = (sentence: string): void => output.note(sentence);
  const commands = new AlertCommands({ address: service.baseUrl, clock, env }, note);
  const print = async (alert: FoundCondition, at: number): Promise<void> => {
    const text = textOf(context, alert, at);
    if (text !== '' && !(await output.write(text))) end('reader gone');
  };
  const key = `${service.profile.name} ${service.stateKey}`;
  const watch = new RuleWatch(
    rules,
    sources,
    {
      onAlert(alert, at) {
        const { action } = alert.rule;
        if (typeof action === 'object') commands.run(action.run, alert);
        void print(alert, at);
      },
      onTooSlow: ({ when }) => note(`The rule ${when} takes too long and is off.`),
    },
    createStateEntry(folders.state, 'watch.json', key),
  );
  const interrupt = (): void => end('interrupted');
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  const subscriptions = [
    sources.deployments.subscribe(({ error, loadedAt, rows }, before) => {
      if (loadedAt !== undefined && before.loadedAt === undefined) {
        for (const name of missingNames(rules, rows)) {
          note(`No deployment is named ${name} yet; its rules wait for one.`);
        }
      }
      if (error === undefined || error === before.error) return;
      const isRefused = error.code === 'unauthorized' || error.code === 'forbidden';
      if (isRefused) clock.after(lastLook, () => end(error));
    }),
    polling.reach.subscribe((now, before) => {
      const wasAway = before.kind === 'away';
      if (now.kind === 'away' && !wasAway) note(`${now.error.sentence} Retrying.`);
      if (wasAway && now.kind === 'up') note(`${client.host} answers again.`);
    }),
  ];
  polling.start();
  watch.start();
  note(`Watching ${rules.length === 1 ? '1 rule' : `${rules.length} rules`} on ${client.host}.`);
  const reason = await ended;
  for (const unsubscribe of subscriptions) unsubscribe();
  signal.removeEventListener('abort', interrupt);
  commands.stop();
  await watch.stop();
  if (typeof reason === 'object') return output.fail(requestProblem(reason));
  return reason === 'interrupted' ? exitCodes.interrupted : exitCodes.done;
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
