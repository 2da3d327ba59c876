import type { Deck } from '../../store/deck/deck.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import type { EditorDefinition } from '../../store/editor/editor.ts';
import { payersOf } from '../../store/grants/payers.ts';
import { listIds } from '../../store/deck/rows.ts';
import { closeView, openView } from '../../store/deck/screen-steps.ts';
import { confirm } from '../command/confirm.ts';
import { creationSentence } from '../../store/editor/creation-sentence.ts';
import { creationLines, creationTitle } from './creation-summary.ts';

/** `^S` on a definition: says what would be created and paid, and creates it when that is chosen. */
export async function askToCreate(deck: Deck, definition: EditorDefinition): Promise<void> {
  if (definition.busy() !== undefined) {
    return deck.say('Already sending; waiting for the answer.');
  }
  // What is said of it has to be true of the text until it is answered.
  if (!isInFront(deck, definition) || deck.screen.getState().overlay !== undefined) return;
  const reading = definition.reading();
  const creation = {
    reading,
    problems: definition.problems(),
    payers: payersNow(deck),
    book: deck.addressBook.getState(),
    sentAt: definition.sentAt(),
    now: deck.clock.now(),
    serviceNow: deck.serviceNow(),
  };
  const chosen = await confirm(deck, {
    title: creationTitle(creation),
    lines: creationLines(creation),
    options: [
      { label: 'Keep editing', meaning: 'nothing is sent, the draft is kept' },
      { label: 'Create', meaning: 'sends it once' },
      // Whoever finds it in the list has no more use for the text.
      ...(creation.sentAt === undefined ? [] : [discarding]),
    ],
    escape: 'keeps editing',
  });
  if (chosen === 1) await create(deck, definition);
  if (chosen === 2) await discard(deck, definition);
}

const discarding = { label: 'Discard draft', meaning: 'nothing is sent', destroys: true };

async function discard(deck: Deck, definition: EditorDefinition): Promise<void> {
  await definition.discard();
  if (isInFront(deck, definition)) {
    deck.screen.setState(closeView);
    deck.editor.close();
  }
  deck.say('The draft of the new deployment is discarded.');
}

/** Undefined also while it is not known which grants there are. */
function payersNow(deck: Deck) {
  const { rows, loadedAt, error } = deck.grants.list.state.getState();
  if (loadedAt === undefined || error !== undefined) return undefined;
  return payersOf(rows, deck.grants.wallet(), deck.serviceNow());
}

async function create(deck: Deck, definition: EditorDefinition): Promise<void> {
  const { host } = deck.profile;
  deck.say('Creating the deployment...');
  const outcome = await definition.create();
  if (outcome.kind !== 'created') {
    const { text, tone } = creationSentence(outcome, { label: '', host, shown: false });
    deck.say(text, tone);
    // Whether it is there after all is what the list says.
    if (outcome.kind === 'unknown') deck.refresh.now();
    return;
  }
  const { deployment, typedOn } = outcome;
  const shown = !typedOn && isInFront(deck, definition);
  if (shown) showLog(deck, deployment.id);
  const label = deploymentLabel(deployment);
  const { text, tone } = creationSentence(outcome, { label, host, shown });
  deck.say(text, tone);
  await deck.deployments.list.refresh();
  if (shown) goToRow(deck, deployment.id);
}

/** Whoever went elsewhere meanwhile stays there. */
function isInFront({ editor, screen }: Deck, definition: EditorDefinition): boolean {
  const { main, focus } = screen.getState();
  const { document } = editor.state.getState();
  return document === definition && main.kind === 'editor' && focus === 'main';
}

function showLog(deck: Deck, id: string): void {
  deck.openDeployment(id);
  deck.screen.setState((screen) => ({
    ...openView(screen, { kind: 'logs' }),
    tailOverEditor: false,
  }));
  deck.editor.close();
}

/** The cursor goes to its row, unless a filter hides it or keys go there: they act on its row. */
function goToRow(deck: Deck, id: string): void {
  if (deck.screen.getState().focus === 'deployments') return;
  const index = listIds(deck, 'deployments').indexOf(id);
  if (index === -1) return;
  deck.screen.setState(({ cursors }) => ({
    cursors: { ...cursors, deployments: { id, index } },
  }));
}
