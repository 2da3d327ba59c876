import type { Deck } from '../../store/deck/deck.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import { payersOf } from '../../store/grants/payers.ts';
import { confirm } from '../command/confirm.ts';
import { creationSentence } from '../../store/editor/creation-sentence.ts';
import { creationLines, creationTitle } from './creation-summary.ts';
import { discardAll } from './discard-draft.ts';
import type { EditorDefinition } from '../../store/editor/definition.ts';

/** The handles that the creation of a deployment needs. */
export type CreationHandles = Pick<
  Deck,
  | 'lists'
  | 'profile'
  | 'clock'
  | 'screen'
  | 'messages'
  | 'deployments'
  | 'opened'
  | 'grants'
  | 'drafts'
  | 'editor'
  | 'refresh'
>;

/** Summarises a new deployment and its price (`^S`), and creates it when the person confirms. */
export async function askToCreate(
  deck: CreationHandles,
  definition: EditorDefinition,
): Promise<void> {
  if (definition.busy() !== undefined) {
    return deck.messages.say('Already sending; waiting for the answer.');
  }
  // The summary must match the text until the confirmation is answered.
  if (!isInFront(deck, definition) || deck.screen.getState().overlay !== undefined) return;
  const creation = {
    definition: definition.reading(),
    problems: definition.problems(),
    isPriced: isPriced(deck),
    payers: isPriced(deck) ? currentPayers(deck) : undefined,
    rateOf: (id: string) => deck.grants.rates.rateOf(id),
    addressBook: deck.grants.addressBook.getState(),
    sentAt: definition.sentAt(),
    now: deck.clock.now(),
    serviceNow: deck.clock.serviceNow(),
  };
  const option = await confirm(deck, {
    title: creationTitle(creation),
    lines: creationLines(creation),
    options: [
      { label: 'Cancel' },
      { label: 'Create' },
      // A definition sent without an answer may exist already, so the draft may be discarded.
      ...(creation.sentAt === undefined ? [] : [discardOption]),
    ],
    escape: 'cancel',
  });
  if (option === 1) await create(deck, definition);
  if (option === 2) await discardAll(deck, [definition.place]);
}

const discardOption = { label: 'Discard draft', destroys: true };

/**
 * Returns whether the service is known to price deployments by their SDL: it is the host on this
 * machine, or lists prices. Others may cost anything, and be paid by anybody.
 */
function isPriced({ profile, deployments }: Pick<Deck, 'profile' | 'deployments'>): boolean {
  const { rows } = deployments.list.state.getState();
  const isOwnHost = profile.workloads !== undefined;
  return isOwnHost || rows.some(({ value }) => value.pricePerHour !== undefined);
}

/** Returns the payers; undefined until the grants are loaded, and after an error. */
function currentPayers(deck: Pick<Deck, 'clock' | 'grants'>) {
  const { rows, loadedAt, error } = deck.grants.list.state.getState();
  if (loadedAt === undefined || error !== undefined) return undefined;
  return payersOf(rows, deck.grants.wallet(), deck.clock.serviceNow());
}

async function create(
  deck: Pick<
    Deck,
    'lists' | 'profile' | 'screen' | 'messages' | 'deployments' | 'opened' | 'editor' | 'refresh'
  >,
  definition: EditorDefinition,
): Promise<void> {
  const { host } = deck.profile;
  const over = deck.messages.begin('Creating the deployment...');
  const outcome = await definition.create();
  over();
  if (outcome.kind !== 'created') {
    const isDraft = definition.text.isModified();
    const names = { label: '', host, shown: false, isDraft };
    const { text, tone } = creationSentence(outcome, names);
    deck.messages.say(text, tone);
    // The refreshed list shows whether the deployment exists.
    if (outcome.kind === 'unknown') deck.refresh.now();
    return;
  }
  const { deployment, typedOn } = outcome;
  const shown = !typedOn && isInFront(deck, definition);
  if (shown) showLog(deck, deployment.id);
  const label = deploymentLabel(deployment);
  const { text, tone } = creationSentence(outcome, { label, host, shown, isDraft: false });
  deck.messages.say(text, tone);
  await deck.deployments.list.refresh();
  if (shown) moveCursorTo(deck, deployment.id);
}

/** True when the editor shows the definition and has the focus. */
function isInFront(
  { editor, screen }: Pick<Deck, 'screen' | 'editor'>,
  definition: EditorDefinition,
): boolean {
  const { main, focus } = screen.getState();
  const { document } = editor.state.getState();
  return document === definition && main.kind === 'editor' && focus === 'main';
}

function showLog(deck: Pick<Deck, 'screen' | 'opened' | 'editor'>, id: string): void {
  deck.opened.open(id);
  deck.screen.view.open({ kind: 'logs' });
  deck.screen.view.close('editor');
  deck.editor.close();
}

/** Moves the cursor to the deployment's row, unless a filter hides it or the list has the focus. */
function moveCursorTo(deck: Pick<Deck, 'screen' | 'lists'>, id: string): void {
  if (deck.screen.getState().focus !== 'deployments') deck.lists.deployments.moveCursorTo(id);
}
