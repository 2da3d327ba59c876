/** Boxes with buttons, as questions with numbered answers. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import { rowWithId } from '../../../store/lists/row-with-id.ts';
import type { ConfirmBox, ConfirmLine, Option } from '../../../store/prompts/confirm.ts';
import { pendingRestartRows } from '../../restarts/rows.ts';
import { draftsSentence, restartSummary, stopsAndStarts } from '../../restarts/summary.ts';
import { pendingText } from '../../restarts/text.ts';
import { spansText } from '../../text/fit.ts';
import { profileSpan } from '../../text/status-line.ts';
import { idOfObject } from './box-id.ts';
import type { HeardBox } from './heard.ts';

/** Returns the title of a box with the profile's name: `PROD: close shop?`. */
export function boxTitle({ profile }: Pick<Deck, 'profile'>, title: string): string {
  return `${spansText([profileSpan(profile)])}: ${title}`;
}

export function hearQuestion(deck: Pick<Deck, 'profile'>, box: ConfirmBox): HeardBox {
  const { question, chosen, text, caret } = box;
  const { typed, escape } = question;
  const answers = question.options.map(optionWords);
  const head = [boxTitle(deck, question.title), ...question.lines.map(lineWords)];
  const id = idOfObject('question', question);
  const row = { id: `answer ${chosen}`, text: answers[chosen] ?? '' };
  if (typed === undefined) {
    return { id, intro: [...head, askWords(answers.length, escape)], answers, row };
  }
  const last = question.options.at(-1)?.label ?? '';
  const how = `Type ${typed}, then Tab to ${last} and Enter. Esc: ${escape}.`;
  const found = text === typed ? `Typed. Tab to ${last} and Enter.` : undefined;
  return {
    id,
    intro: [...head, how],
    answers: [],
    row,
    field: { label: 'Type: ', text, caret },
    found,
  };
}

export function hearRestart(
  deck: Pick<Deck, 'deployments' | 'profile' | 'restarts'>,
  { deployment: id, button }: Extract<Overlay, { kind: 'restart' }>,
): HeardBox {
  const listed = rowWithId(deck.deployments.list.state.getState().rows, id)?.value;
  const summary = restartSummary(id, listed, deck.restarts.state.getState().get(id));
  const answers = ['Cancel', 'Restart now'];
  return {
    id: `restart ${id}`,
    intro: [
      boxTitle(deck, `restart ${summary.label}?`),
      ...summary.lines,
      askWords(answers.length, 'cancel'),
    ],
    answers,
    row: { id: `answer ${button}`, text: answers[button] ?? '' },
  };
}

export function hearRestarts(
  deck: Pick<Deck, 'deployments' | 'drafts' | 'profile' | 'restarts'>,
  { deployment: id, button }: Extract<Overlay, { kind: 'restarts' }>,
): HeardBox {
  const pending = pendingRestartRows(deck, id);
  const listed = rowWithId(deck.deployments.list.state.getState().rows, id)?.value;
  const isCounting = pending.some(({ restart }) => restart?.kind === 'counting');
  const answers = [isCounting ? 'Resume countdown' : 'Cancel', 'Restart now', "Don't restart"];
  const words = pending.map(({ label, restart }) =>
    restart === undefined ? `${label}: unchanged` : `${label}: ${pendingText(restart, false)}`,
  );
  const own = pending.findIndex((row) => row.id === id);
  const drafts = draftsSentence(id, deck.drafts.state.getState().drafts.values());
  const several = pending.length > 1 ? ['Up and Down choose the deployment.'] : [];
  return {
    // The countdown pauses while the box is open, and its state may change before it does.
    id: 'restarts',
    intro: [
      boxTitle(deck, 'pending restarts'),
      ...words,
      `${stopsAndStarts(listed)}${drafts}`,
      ...several,
      askWords(answers.length, 'cancel'),
    ],
    answers,
    row: {
      id: `${id} ${button}`,
      text: `${pending.length > 1 ? `${words[own] ?? ''}: ` : ''}${answers[button] ?? ''}`,
    },
  };
}

function askWords(answers: number, escape: string): string {
  return answers === 1 ? `Press 1. Esc: ${escape}.` : `Press 1 to ${answers}. Esc: ${escape}.`;
}

function optionWords({ label, meaning }: Option): string {
  return meaning === undefined ? label : `${label}: ${meaning}`;
}

function lineWords(line: ConfirmLine): string {
  if (typeof line === 'string') return line;
  if ('excerpt' in line) return `${line.excerpt.trim()}, ${line.note}`;
  return `${line.label}: ${line.values.join(' ')}`;
}
