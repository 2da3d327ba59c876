import type { Console } from '../../store/deck/deck.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import type { EditorDefinition } from '../../store/editor/editor.ts';
import { payersOf } from '../../store/grants/payers.ts';
import { listIds } from '../../store/deck/rows.ts';
import { closeView, openView } from '../../store/deck/screen-steps.ts';
import { ask } from '../command/confirm.ts';
import { creationSentence } from '../../store/editor/creation-sentence.ts';
import { creationLines, creationTitle } from './creation-summary.ts';

/** `^S` on a definition: says what would be created and paid, and creates it when that is chosen. */
export async function askToCreate(console: Console, definition: EditorDefinition): Promise<void> {
  if (definition.busy() !== undefined) {
    return console.say('It is being sent already. Its answer is not there yet.');
  }
  // What is said of it has to be true of the text until it is answered.
  if (!isInFront(console, definition) || console.screen.getState().overlay !== undefined) return;
  const reading = definition.reading();
  const creation = {
    reading,
    problems: definition.problems(),
    payers: payersNow(console),
    book: console.addressBook.getState(),
    sentAt: definition.sentAt(),
    now: console.clock.now(),
    serviceNow: console.serviceNow(),
  };
  const chosen = await ask(console, {
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
  if (chosen === 1) await create(console, definition);
  if (chosen === 2) await discard(console, definition);
}

const discarding = { label: 'Discard draft', meaning: 'nothing is sent', destroys: true };

async function discard(console: Console, definition: EditorDefinition): Promise<void> {
  await definition.discard();
  if (isInFront(console, definition)) {
    console.screen.setState(closeView);
    console.editor.close();
  }
  console.say('The draft of the new deployment is discarded.');
}

/** Undefined also while it is not known which grants there are. */
function payersNow(console: Console) {
  const { rows, loadedAt, error } = console.grants.list.state.getState();
  if (loadedAt === undefined || error !== undefined) return undefined;
  return payersOf(rows, console.grants.wallet(), console.serviceNow());
}

async function create(console: Console, definition: EditorDefinition): Promise<void> {
  const { host } = console.profile;
  console.say('Creating the deployment...');
  const outcome = await definition.create();
  if (outcome.kind !== 'created') {
    const { text, tone } = creationSentence(outcome, { label: '', host, shown: false });
    console.say(text, tone);
    // Whether it is there after all is what the list says.
    if (outcome.kind === 'unknown') console.refresh.now();
    return;
  }
  const { deployment, typedOn } = outcome;
  const shown = !typedOn && isInFront(console, definition);
  if (shown) showLog(console, deployment.id);
  const label = deploymentLabel(deployment);
  const { text, tone } = creationSentence(outcome, { label, host, shown });
  console.say(text, tone);
  await console.deployments.list.refresh();
  if (shown) goToRow(console, deployment.id);
}

/** Whoever went elsewhere meanwhile stays there. */
function isInFront({ editor, screen }: Console, definition: EditorDefinition): boolean {
  const { main, focus } = screen.getState();
  const { document } = editor.state.getState();
  return document === definition && main.kind === 'editor' && focus === 'main';
}

function showLog(console: Console, id: string): void {
  console.openDeployment(id);
  console.screen.setState((screen) => ({
    ...openView(screen, { kind: 'logs' }),
    tailOverEditor: false,
  }));
  console.editor.close();
}

/** The cursor goes to its row, unless a filter hides it or keys go there: they act on its row. */
function goToRow(console: Console, id: string): void {
  if (console.screen.getState().focus === 'deployments') return;
  const index = listIds(console, 'deployments').indexOf(id);
  if (index === -1) return;
  console.screen.setState(({ cursors }) => ({
    cursors: { ...cursors, deployments: { id, index } },
  }));
}
