import { type Deployment, deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import type { Confirmation } from '../../store/prompts/confirm.ts';
import { ageSince } from '../text/age.ts';
import { runningInstances } from '../text/instances.ts';

type Asked = Omit<Confirmation, 'answer'>;

/** A deployment that a box asks about, with what waits for it on this machine. */
export interface BatchSubject {
  readonly deployment: Deployment;
  /** Changes of which nobody has answered that they are applied. */
  readonly changes: number;
  /** Files with text that is not saved. */
  readonly drafts: number;
  /** A restart of it counts. */
  readonly counts: boolean;
}

/** Names that a box has of many, and with the last how many more. */
const mostNames = 6;

/** Before one or several are closed, at `now` ms: the word that is wanted is the name, or says how many. */
export function closeQuestion(subjects: readonly BatchSubject[], now: number): Asked {
  const [first, ...others] = subjects;
  const isOne = first !== undefined && others.length === 0;
  const way = `The service offers no way to reopen ${isOne ? 'it' : 'them'}.`;
  return {
    title: isOne
      ? `close ${deploymentLabel(first.deployment)}?`
      : `close ${subjects.length} deployments?`,
    lines: isOne
      ? [identity(first.deployment, now), way, ...leftovers(subjects)]
      : [
          `Closes ${extentText(subjects)}. ${way}`,
          ...namesOf(subjects, now),
          ...leftovers(subjects),
        ],
    options: [{ label: 'Cancel' }, { label: 'Close', destroys: true }],
    ...(isOne
      ? wantedOf(first.deployment)
      : { typed: `close ${subjects.length}`, typedIs: 'text' }),
    // What it says of changes stays true while it is read.
    holdsRestarts: subjects.some(({ counts }) => counts),
    escape: 'cancels',
  };
}

/** Before several are restarted. Nothing counts while it is open, as in the box of one. */
export function restartAllQuestion(subjects: readonly BatchSubject[], now: number): Asked {
  const changes = sum(subjects, (one) => one.changes);
  const drafts = sum(subjects, (one) => one.drafts);
  const waiting = [
    changes === 0 ? '' : `Applies ${count(changes, 'change')}.`,
    drafts === 0 ? '' : `${count(drafts, 'unsaved draft')} not in it.`,
  ].filter((text) => text !== '');
  return {
    title: `restart ${subjects.length} deployments?`,
    lines: [
      `Stops and starts ${extentText(subjects)}, one deployment after the other.`,
      ...namesOf(subjects, now),
      ...(waiting.length === 0 ? [] : [waiting.join(' ')]),
    ],
    options: [{ label: 'Cancel' }, { label: 'Restart now', destroys: true }],
    holdsRestarts: true,
    escape: 'cancels',
  };
}

/** What anybody can type: letters, digits, signs and spaces, each of which shows what it is. */
const typeable = /^[\p{L}\p{N}\p{P}\p{S} ]{1,40}$/u;

/**
 * The word that closes a deployment: its name; the last four of its id where it has none, or one
 * that nobody could type.
 */
export function wordFor({ id, name = '' }: Deployment): string {
  const tail = id.slice(-4);
  return [name, tail].find((word) => typeable.test(word) && word.trim() === word) ?? 'close';
}

/** The same word, with what it is. */
function wantedOf(deployment: Deployment): Pick<Confirmation, 'typed' | 'typedIs'> {
  const typed = wordFor(deployment);
  if (typed === deployment.name) return { typed };
  return { typed, typedIs: deployment.id.endsWith(typed) ? 'end of the id' : 'text' };
}

/** `id 3f0c2a..91-4711, active 3d, services web api, 2 instances`; a whole id stands for a name. */
function identity(deployment: Deployment, now: number): string {
  const { id, services } = deployment;
  const hasName = deploymentLabel(deployment) !== shortId(id);
  const names = services.map(({ name }) => name).join(' ');
  const running = runningInstances(deployment);
  const facts = [
    `id ${hasName ? shortId(id) : id}`,
    stateAndAge(deployment, now),
    names === '' ? '' : `services ${names}`,
    running === undefined ? '' : count(running, 'instance'),
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

function stateAndAge({ state = '', createdAt }: Deployment, now: number): string {
  return [state, ageSince(createdAt, now)].filter((part) => part !== '').join(' ');
}

/** `shop-2: active 3d, web api`, one a line. */
function namesOf(subjects: readonly BatchSubject[], now: number): readonly string[] {
  const shown = subjects.length <= mostNames ? subjects : subjects.slice(0, mostNames - 1);
  const lines = shown.map(({ deployment }) => {
    const services = deployment.services.map(({ name }) => name).join(' ');
    const facts = [stateAndAge(deployment, now), services].filter((fact) => fact !== '');
    const about = facts.length === 0 ? '' : `: ${facts.join(', ')}`;
    return `${deploymentLabel(deployment)}${about}`;
  });
  const more = subjects.length - shown.length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

/** `5 services, 4 instances`, of all together as far as the service tells. */
function extentText(subjects: readonly BatchSubject[]): string {
  const services = sum(subjects, ({ deployment }) => deployment.services.length);
  const running = subjects.map(({ deployment }) => runningInstances(deployment));
  const instances = running.reduce<number>((all, one) => all + (one ?? 0), 0);
  const isTold = running.some((one) => one !== undefined);
  const what = services === 0 ? count(subjects.length, 'deployment') : count(services, 'service');
  return isTold ? `${what}, ${count(instances, 'instance')}` : what;
}

/** `1 change was never applied. 1 draft stays on this machine.` */
function leftovers(subjects: readonly BatchSubject[]): readonly string[] {
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
