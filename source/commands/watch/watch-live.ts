import { quietSentence } from '../../store/alert-rules/quiet-hours.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import { missingNames } from '../../store/alert-rules/missing-names.ts';
import { createStateEntry } from '../../disk/state-entry.ts';
import { createRuleWatch } from '../../store/alert-rules/rule-watch.ts';
import type { RuleAlert } from '../../store/alert-rules/rule-alert.ts';
import type { AlertSettings } from '../../store/alert-rules/rule.ts';
import type { Reach } from '../../store/lists/reach.ts';
import { notificationBytes, notificationProtocol } from '../../terminal/notification.ts';
import { requestProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { formatAlert } from './format-alert.ts';
import { createWatchedService } from './watched-service.ts';

/** The reason for which a watch ends. */
type WatchEnd =
  | { readonly kind: 'interrupted' | 'reader gone' }
  /** The service refuses the list for good. */
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** Milliseconds in which the alert about a rejected token is still told. */
const lastLook = 1500;

/** Prints each alert of the rules. Resolves with the exit code after a signal, or a refusal. */
export async function watchLive(
  context: ServiceCommandContext,
  { rules = [], quiet }: AlertSettings,
): Promise<ExitCode> {
  const { client, clock, output, signal, options, isTerminal, env, folders, service } = context;
  const protocol = notificationProtocol(env);
  const { promise: ended, resolve: end } = Promise.withResolvers<WatchEnd>();
  const hasGrantRules = rules.some(({ condition }) => condition.kind === 'grant');
  const watched = createWatchedService(context, hasGrantRules);
  const interrupt = (): void => end({ kind: 'interrupted' });

  const tell = async (alert: RuleAlert): Promise<void> => {
    const way = alert.rule.action === 'bell' ? 'bell' : protocol;
    const sound = isTerminal ? notificationBytes(way, alert.sentence) : '';
    const line = options.quiet ? '' : formatAlert(alert, options.json);
    if (sound + line === '') return;
    if (!(await output.write(sound + line))) end({ kind: 'reader gone' });
  };

  const key = `${service.profile.name} ${service.stateKey}`;
  const episodes = createStateEntry(folders.state, 'watch.json', key);
  let written: Promise<void> | undefined;
  const watch = createRuleWatch({
    rules,
    quiet,
    sources: watched.sources,
    onAlert: (alert) => void tell(alert),
    onTooSlow: ({ when }) => output.note(`The rule ${when} takes too long and is off.`),
    keeper: {
      read: () => episodes.read(),
      write(stored) {
        written = episodes.write(stored);
      },
    },
  });
  const stops = [
    watched.deployments.state.subscribe(({ error, loadedAt, rows }, before) => {
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
  ];
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  watched.start();
  watch.start();
  const count = rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  const hours = quiet === undefined ? '' : ` ${quietSentence(quiet, clock.now())}`;
  output.note(`Watching ${count} on ${client.host}.${hours}`);
  try {
    const reason = await ended;
    if (reason.kind === 'refused') return output.fail(requestProblem(reason.error));
    return reason.kind === 'interrupted' ? exitCodes.interrupted : exitCodes.done;
  } finally {
    signal.removeEventListener('abort', interrupt);
    for (const stop of stops) stop();
    watch.stop();
    watched.stop();
    await written;
  }
}

/** Returns what a change of the reach means; undefined for one that means nothing new. */
function reachNote(now: Reach, before: Reach, host: string): string | undefined {
  if (now.kind === 'away' && before.kind !== 'away') return `${now.error.sentence} Retrying.`;
  return now.kind === 'up' && before.kind === 'away' ? `${host} answers again.` : undefined;
}
