import { deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import type { Confirmation } from '../../store/prompts/confirm.ts';
import { ageSince } from '../../store/time/age.ts';
import { instanceCounts } from '../text/instances.ts';
import type { Deployment } from '../../contract/deployments.ts';

type Question = Omit<Confirmation, 'answer'>;

/** A deployment in a box, with its unapplied changes and drafts. */
export interface BatchSubject {
  readonly deployment: Deployment;
  /** Number of files with unapplied changes. */
  readonly changes: number;
  /** Number of files with unsaved drafts. */
  readonly drafts: number;
  /** True while the countdown of its restart runs. */
  readonly isCounting: boolean;
}

/** Lines of a box for deployments; beyond that, the last one counts the rest. */
const maxNames = 6;

/**
 * Returns the box that confirms closing deployments; `now` is in ms. The word to type is the name of
 * a single deployment, or `close 3`.
 */
export function closeQuestion(subjects: readonly BatchSubject[], now: number): Question {
  const [first, ...others] = subjects;
  const isOne = first !== undefined && others.length === 0;
  const warning = isOne
    ? "A closed deployment can't be reopened."
    : "Closed deployments can't be reopened.";
  return {
    title: isOne
      ? `close ${deploymentLabel(first.deployment)}?`
      : `close ${subjects.length} deployments?`,
    lines: isOne
      ? [identity(first.deployment, now), warning, ...leftoverLines(subjects)]
      : [
          `Closes ${sizeText(subjects)}. ${warning}`,
          ...deploymentLines(subjects, now),
          ...leftoverLines(subjects),
        ],
    options: [{ label: 'Cancel' }, { label: 'Close', destroys: true }],
    ...(isOne
      ? confirmationOf(first.deployment)
      : { typed: `close ${subjects.length}`, typedIs: 'text' }),
    // The number of changes must stay true while the box is open.
    pausesRestarts: subjects.some(({ isCounting }) => isCounting),
    escape: 'cancel',
  };
}

/** Returns the box that confirms several restarts. Countdowns pause while it is open. */
export function restartAllQuestion(subjects: readonly BatchSubject[], now: number): Question {
  const changes = sum(subjects, (one) => one.changes);
  const drafts = sum(subjects, (one) => one.drafts);
  const pending = [
    changes === 0 ? '' : `Applies ${count(changes, 'change')}.`,
    drafts === 0 ? '' : `${count(drafts, 'unsaved draft')} not included.`,
  ].filter((text) => text !== '');
  return {
    title: `restart ${subjects.length} deployments?`,
    lines: [
      `Stops and starts ${sizeText(subjects)}, one deployment after the other.`,
      ...deploymentLines(subjects, now),
      ...(pending.length === 0 ? [] : [pending.join(' ')]),
    ],
    options: [{ label: 'Cancel' }, { label: 'Restart now', destroys: true }],
    pausesRestarts: true,
    escape: 'cancel',
  };
}

/** Text that can be typed and is visible: letters, digits, punctuation, symbols and spaces. */
const typeable = /^[\p{L}\p{N}\p{P}\p{S} ]{1,40}$/u;

/**
 * Returns the word that confirms closing a deployment: its name, or the last four characters of its
 * id where the name is missing or can't be typed.
 */
export function confirmationWord({ id, name = '' }: Deployment): string {
  const tail = id.slice(-4);
  return [name, tail].find((word) => typeable.test(word) && word.trim() === word) ?? 'close';
}

/** Returns the word to type, with a description of it for the box. */
function confirmationOf(deployment: Deployment): Pick<Confirmation, 'typed' | 'typedIs'> {
  const typed = confirmationWord(deployment);
  if (typed === deployment.name) return { typed };
  return { typed, typedIs: deployment.id.endsWith(typed) ? 'end of the id' : 'text' };
}

/** Returns `id 3f0c2a..91-4711, active, 3d old, services web api, 2 instances`; the id is whole without a name. */
function identity(deployment: Deployment, now: number): string {
  const { id, services } = deployment;
  const hasName = deploymentLabel(deployment) !== shortId(id);
  const names = services.map(({ name }) => name).join(' ');
  const { running } = instanceCounts(deployment);
  const facts = [
    `id ${hasName ? shortId(id) : id}`,
    stateAndAge(deployment, now),
    names === '' ? '' : `services ${names}`,
    running === undefined ? '' : count(running, 'instance'),
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

/** Returns `active, 3d old`: the age is the deployment's, not that of its state. */
function stateAndAge({ state = '', createdAt }: Deployment, now: number): string {
  const age = ageSince(createdAt, now);
  return [state, age === '' ? '' : `${age} old`].filter((part) => part !== '').join(', ');
}

/** Returns a line for each deployment: `shop-2: active, 3d old, web api`. */
function deploymentLines(subjects: readonly BatchSubject[], now: number): readonly string[] {
  const shown = subjects.length <= maxNames ? subjects : subjects.slice(0, maxNames - 1);
  const lines = shown.map(({ deployment }) => {
    const services = deployment.services.map(({ name }) => name).join(' ');
    const facts = [stateAndAge(deployment, now), services].filter((fact) => fact !== '');
    const about = facts.length === 0 ? '' : `: ${facts.join(', ')}`;
    return `${deploymentLabel(deployment)}${about}`;
  });
  const more = subjects.length - shown.length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

/**
 * Returns the totals, `5 services, 4 instances`. A total that a deployment lacks is left out; without
 * services it is `3 deployments`.
 */
function sizeText(subjects: readonly BatchSubject[]): string {
  const services = subjects.map(({ deployment }) => deployment.services.length);
  const running = subjects.map(({ deployment }) => instanceCounts(deployment).running);
  const total = (numbers: readonly (number | undefined)[]): number =>
    numbers.reduce<number>((all, one) => all + (one ?? 0), 0);
  const units = services.includes(0)
    ? count(subjects.length, 'deployment')
    : count(total(services), 'service');
  return running.includes(undefined) ? units : `${units}, ${count(total(running), 'instance')}`;
}

/** Returns at most one line: `1 change was never applied. 1 draft stays on this machine.` */
function leftoverLines(subjects: readonly BatchSubject[]): readonly string[] {
  const changes = sum(subjects, (one) => one.changes);
  const drafts = sum(subjects, (one) => one.drafts);
  const parts = [
    changes === 0
      ? ''
      : `${count(changes, 'change')} ${changes === 1 ? 'was' : 'were'} never applied.`,
    drafts === 0
      ? ''
      : `${count(drafts, 'draft')} ${drafts === 1 ? 'stays' : 'stay'} on this machine.`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [parts.join(' ')];
}

function sum(subjects: readonly BatchSubject[], of: (one: BatchSubject) => number): number {
  return subjects.reduce((all, one) => all + of(one), 0);
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number.toLocaleString('en')} ${noun}s`;
}
