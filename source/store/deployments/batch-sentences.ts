import type { ServiceError } from '../../client/http/errors.ts';
import { type Batch, type BatchVerb, idsAtStep } from './batch-state.ts';
import type { Tone } from '../prompts/tone.ts';
const words = {
  close: {
    progress: 'Closing',
    attempt: 'Closing',
    verb: 'close',
    possible: 'may have been closed',
    key: 'X',
  },
  restart: {
    progress: 'Restarting',
    attempt: 'Restart of',
    verb: 'restart',
    possible: 'may have restarted',
    key: 'r',
  },
} as const;

/** Largest number of names in a sentence. */
const maxNames = 3;

/**
 * Reports an ended batch: the number of successes, then the deployments that failed and their errors.
 * The same key retries those alone.
 * @param name returns the label of a deployment.
 */
export function batchSentence(
  batch: Batch,
  name: (deployment: string) => string,
): { readonly text: string; readonly tone: Tone } {
  const { verb, steps } = batch;
  const { key, verb: again } = words[verb];
  const done = idsAtStep(batch, 'done').length;
  if (done === steps.size) return { text: doneText(batch, name), tone: 'good' };
  const parts = [
    ...(steps.size === 1 ? [] : [countText(verb, done, steps.size)]),
    ...failures(batch, name),
    ...unknowns(batch, name),
    ...unsent(batch),
    `${key}: ${again} again.`,
  ];
  return { text: parts.join(' '), tone: 'bad' };
}

/** Reports the progress of a running batch: `Closing 2 of 4: worker.` */
export function progressSentence(batch: Batch, name: (deployment: string) => string): string {
  const [id] = idsAtStep(batch, 'sent');
  const waiting = idsAtStep(batch, 'waiting').length;
  const total = batch.steps.size - idsAtStep(batch, 'unsent').length;
  const { progress } = words[batch.verb];
  if (batch.steps.size === 1) return `${progress} ${id === undefined ? '' : name(id)}...`;
  const current = id === undefined ? '' : `: ${name(id)}`;
  const stop = waiting > 0 ? '^C stops before the next.' : '';
  return `${progress} ${total - waiting} of ${total}${current}. ${stop}`;
}

/** Longest error message of the service in a sentence, in code units. */
const maxReasonLength = 70;

/**
 * Formats an error after "failed": ` (503)`, ` (409): REASON`, or `: REASON` without a status. The
 * reason is the first line of the service's error message.
 */
function errorText({ status, sentence, errorMessage = '' }: ServiceError): string {
  const [first = ''] = errorMessage.split('\n');
  const reason = first.slice(0, maxReasonLength).toWellFormed().trim().replace(/\.$/, '');
  if (status === undefined || status < 400) return `: ${reason || sentence.replace(/\.$/, '')}`;
  // The message of an internal error (5xx) names nothing that the person could correct.
  return reason === '' || status >= 500 ? ` (${status})` : ` (${status}): ${reason}`;
}

function doneText({ verb, steps }: Batch, name: (deployment: string) => string): string {
  const [first = ''] = steps.keys();
  const isOne = steps.size === 1;
  const subject = isOne ? name(first) : `${steps.size} deployments`;
  if (verb === 'close') return `Closed ${subject}.`;
  return `${subject} ${isOne ? 'is' : 'are'} restarting.`;
}

function countText(verb: BatchVerb, done: number, total: number): string {
  if (verb === 'close') return `Closed ${done} of ${total}.`;
  return `${done} of ${total} ${done === 1 ? 'is' : 'are'} restarting.`;
}

/** Returns one sentence for each distinct error. */
function failures(batch: Batch, name: (deployment: string) => string): readonly string[] {
  const names = new Map<string, string[]>();
  for (const [id, step] of batch.steps) {
    if (step.kind !== 'failed') continue;
    const error = errorText(step.error);
    names.set(error, [...(names.get(error) ?? []), name(id)]);
  }
  const attempt = batch.steps.size === 1 ? `${words[batch.verb].attempt} ` : '';
  return [...names].map(([error, failed]) => `${attempt}${listText(failed)} failed${error}.`);
}

function unknowns(batch: Batch, name: (deployment: string) => string): readonly string[] {
  const names = idsAtStep(batch, 'unknown').map(name);
  if (names.length === 0) return [];
  return [`${listText(names)} ${words[batch.verb].possible}.`];
}

function unsent(batch: Batch): readonly string[] {
  const { length } = idsAtStep(batch, 'unsent');
  return length === 0 ? [] : [`Stopped: ${length} not sent.`];
}

function listText(names: readonly string[]): string {
  if (names.length <= maxNames) return names.join(', ');
  const shown = names.slice(0, maxNames - 1);
  return `${shown.join(', ')} and ${names.length - shown.length} more`;
}
