import type { ServiceError } from '../../client/http/errors.ts';
import { type Batch, type BatchVerb, idsAtStep } from './batch-state.ts';
import type { Tone } from '../prompts/tone.ts';
const words = {
  close: { one: 'Closing', noun: 'close', happened: 'be closed', key: 'X' },
  restart: { one: 'Restarting', noun: 'restart', happened: 'have restarted', key: 'r' },
} as const;

/** Names that a sentence has of many. */
const mostNames = 3;

/**
 * What a batch came to: how many, then those it did not do and why. The same key asks again for
 * these alone.
 * @param name what people call a deployment.
 */
export function batchSentence(
  batch: Batch,
  name: (deployment: string) => string,
): { readonly text: string; readonly tone: Tone } {
  const { verb, steps } = batch;
  const { key } = words[verb];
  const done = idsAtStep(batch, 'done').length;
  if (done === steps.size) return { text: doneText(batch, name), tone: 'good' };
  const parts = [
    ...(steps.size === 1 ? [] : [countText(verb, done, steps.size)]),
    ...failures(batch, name),
    ...unknowns(batch, name),
    ...unsent(batch),
    `${key} asks again.`,
  ];
  return { text: parts.join(' '), tone: 'bad' };
}

/** What is done now, for the row above the keys: `Closing 2 of 4: worker.` */
export function progressSentence(batch: Batch, name: (deployment: string) => string): string {
  const [id] = idsAtStep(batch, 'sent');
  const waiting = idsAtStep(batch, 'waiting').length;
  const all = batch.steps.size - idsAtStep(batch, 'unsent').length;
  const { one } = words[batch.verb];
  if (batch.steps.size === 1) return `${one} ${id === undefined ? '' : name(id)}...`;
  const current = id === undefined ? '' : `: ${name(id)}`;
  return `${one} ${all - waiting} of ${all}${current}. ${waiting > 0 ? '^C stops before the next.' : ''}`;
}

/** Characters of a reason that the service gives: names and keys stand beside it. */
const longestReason = 70;

/**
 * `503`, with the reason that the service gives where that is about what was asked; a few words
 * where there was no answer to have a status.
 */
function reasonText({ status, sentence, errorMessage = '' }: ServiceError): string {
  const [first = ''] = errorMessage.split('\n');
  const reason = first.slice(0, longestReason).toWellFormed().trim().replace(/\.$/, '');
  if (status === undefined || status < 400) return reason || sentence.replace(/\.$/, '');
  // Of its own trouble a service says nothing that anybody could put right here.
  return reason === '' || status >= 500 ? `${status}` : `${status}, ${reason}`;
}

function doneText({ verb, steps }: Batch, name: (deployment: string) => string): string {
  const [only = ''] = steps.keys();
  const what = steps.size === 1 ? name(only) : `${steps.size} deployments`;
  return verb === 'close' ? `Closed ${what}.` : `Restart of ${what} accepted.`;
}

function countText(verb: BatchVerb, done: number, all: number): string {
  return verb === 'close' ? `Closed ${done} of ${all}.` : `${done} of ${all} restarts accepted.`;
}

/** A sentence for each reason. */
function failures(batch: Batch, name: (deployment: string) => string): readonly string[] {
  const names = new Map<string, string[]>();
  for (const [id, step] of batch.steps) {
    if (step.kind !== 'failed') continue;
    const reason = reasonText(step.error);
    names.set(reason, [...(names.get(reason) ?? []), name(id)]);
  }
  const isOne = batch.steps.size === 1;
  return [...names].map(([reason, of]) =>
    isOne
      ? `${words[batch.verb].one} ${of.join()} failed: ${reason}.`
      : `${listText(of)} failed: ${reason}.`,
  );
}

function unknowns(batch: Batch, name: (deployment: string) => string): readonly string[] {
  const names = idsAtStep(batch, 'unknown').map(name);
  if (names.length === 0) return [];
  const { noun, happened } = words[batch.verb];
  const pronoun = names.length === 1 ? 'it' : 'they';
  return [`No answer to the ${noun} of ${listText(names)}: ${pronoun} may ${happened}.`];
}

function unsent(batch: Batch): readonly string[] {
  const { length } = idsAtStep(batch, 'unsent');
  return length === 0 ? [] : [`Stopped: ${length} not sent.`];
}

function listText(names: readonly string[]): string {
  if (names.length <= mostNames) return names.join(', ');
  const shown = names.slice(0, mostNames - 1);
  return `${shown.join(', ')} and ${names.length - shown.length} more`;
}
