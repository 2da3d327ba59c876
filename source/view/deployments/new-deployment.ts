import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { isNewDeployment, type NewDeployment, placeKey } from '../../store/drafts/places.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { type Menu, type MenuItem, openMenu } from '../../store/prompts/menu.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import type { TemplateName, ServiceKind } from '../../store/editor/templates.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { editorShower, look } from '../editor/document.ts';
import { confirmTakeOver } from '../editor/locked-document.ts';
import { selectedDeployments } from './batch.ts';
import { shortDateText, sentText } from '../text/unfinished.ts';
import type { Template } from '../../store/editor/opened-document.ts';
import { lazyPart } from '../../system/lazy-part.ts';

const templatesPart = lazyPart(() => import('../../store/editor/templates.ts'));

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'files' | 'editor'>;

/** `a`: opens the menu of templates for a new deployment. */
export function openTemplateMenu(deck: Handles & Pick<Deck, 'profile' | 'drafts'>): void {
  deck.editor.prepare();
  deck.screen.overlay.open(openMenu(templateMenu(deck)));
}

export function templateMenu(deck: Parameters<typeof templateItems>[0]): Menu {
  return {
    title: 'new deployment from',
    source: deck.drafts.state,
    items: () => templateItems(deck),
  };
}

/** Returns the drafts, newest first, then the templates and the local file. */
function templateItems(deck: Handles & Pick<Deck, 'profile' | 'drafts'>): readonly MenuItem[] {
  const now = deck.clock.now();
  const drafts = [...deck.drafts.state.getState().drafts.values()]
    .sort((one, other) => other.at - one.at)
    .flatMap((draft): readonly MenuItem[] => {
      if (!isNewDeployment(draft)) return [];
      const status = draft.sentAt === undefined ? 'not sent yet' : 'sent, no answer';
      const suffix = draft.name === undefined ? '' : `: ${draft.name}`;
      return [
        {
          id: `draft ${draft.newDeployment}`,
          label: `draft of ${shortDateText(draft.at, now)}`,
          meaning: `continue; ${status}${suffix}`,
          choose: () => void goOnWith(deck, draft),
        },
      ];
    });
  const { workloads = ['image'] } = deck.profile;
  const templates = workloads.flatMap((workload) =>
    templateNames.map(([name, meaning]) => ({
      id: `${workload} ${name}`,
      label: workload === 'image' && workloads.length > 1 ? `${name}, image` : name,
      meaning,
      choose: () =>
        void openDefinition(deck, unusedPlace(deck), () => loadTemplate(name, workload)),
    })),
  );
  const file = {
    id: 'file',
    label: 'local file',
    meaning: 'a definition on this machine',
    choose: () => promptForFile(deck),
  };
  return [...drafts, ...templates, file];
}

const templateNames = [
  ['web', 'one service that answers HTTP'],
  ['worker', 'one service that works by itself'],
  ['web and api', 'two services, one behind the other'],
] as const;

async function loadTemplate(name: TemplateName, workload: ServiceKind): Promise<Template> {
  const { templateOf } = await templatesPart();
  return { ok: true, text: templateOf(name, workload) };
}

/** `A`: opens a new deployment with the definition of the marked one, else of the one under the cursor. */
export async function createDeploymentLike(
  deck: Handles & Pick<Deck, 'lists' | 'opened' | 'drafts'>,
): Promise<void> {
  const [only, ...others] = selectedDeployments(deck);
  if (only === undefined) return deck.messages.say('Select a deployment first.');
  const { id } = only;
  if (others.length > 0) {
    return deck.messages.say(
      `${others.length + 1} deployments are marked; ${keyName('deployments.create-like', 'A')} takes one. ${keyName('deployments.mark', 'Space')} unmarks.`,
      'bad',
    );
  }
  await openDefinition(deck, unusedPlace(deck), () => definitionOf(deck, id));
}

async function definitionOf(deck: Pick<Deck, 'deployments'>, id: string): Promise<Template> {
  const { deployments } = deck;
  const known = () => {
    const listed = deployments.list.state.getState().rows.find(({ value }) => value.id === id);
    return [listed?.value.sdl, deployments.details.getState().get(id)?.value.sdl].find(
      (sdl) => sdl !== undefined && sdl.trim() !== '',
    );
  };
  const before = known();
  if (before !== undefined) return { ok: true, text: before };
  const fetched = await deployments.fetch(id);
  if (!fetched.ok) {
    const { sentence, next } = fetched.error;
    return { ok: false, sentence: `${sentence} ${next}`.trimEnd() };
  }
  const text = known();
  return text === undefined
    ? {
        ok: false,
        sentence: `The service sent no definition of ${deck.deployments.label(id)}. ${keyName('deployments.create', 'a')} offers templates.`,
      }
    : { ok: true, text };
}

/** Opens the draft of a new deployment. */
export function goOnWith(deck: Handles, place: NewDeployment): Promise<void> {
  const gone = { ok: false, sentence: 'That draft no longer exists.' } as const;
  return openDefinition(deck, place, async () => gone);
}

function promptForFile(deck: Handles & Pick<Deck, 'drafts'>): void {
  const prompt: Prompt = {
    label: 'New deployment from file: ',
    pathOf: 'machine',
    completions: async (text) => completePath(text, (await deck.files.work()).local, false),
    submit: (typed: string) =>
      void openDefinition(deck, unusedPlace(deck), async () => {
        const read = await readDefinition(deck, typed);
        // The message row shows the reason; the next prompt starts with the same path.
        if (!read.ok) deck.screen.forms.keepPath(typed);
        return read;
      }),
  };
  const { keptPath } = deck.screen.getState();
  deck.screen.overlay.open(prompting(prompt, keptPath));
  deck.screen.forms.keepPath('');
}

/** Largest local file that is opened as a definition, in bytes. */
const maxDefinitionBytes = 1 << 20;

async function readDefinition(deck: Pick<Deck, 'files'>, typed: string): Promise<Template> {
  const { local } = await deck.files.work();
  const [path, ...others] = parsePaths(typed, local.home);
  if (path === undefined || others.length > 0) {
    return { ok: false, sentence: 'Enter the path of one file.' };
  }
  const read = await local.read(local.resolve(path), maxDefinitionBytes);
  if (read.ok) return read;
  return {
    ok: false,
    sentence: `Can't open ${path}: ${read.reason}. ${keyName('deployments.create', 'a')} retries.`,
  };
}

/** Returns a place without a draft. */
function unusedPlace({ clock, drafts }: Pick<Deck, 'clock' | 'drafts'>): NewDeployment {
  const existing = drafts.state.getState().drafts;
  let at = clock.now();
  while (existing.has(placeKey({ newDeployment: String(at) }))) at += 1;
  return { newDeployment: String(at) };
}

async function openDefinition(
  deck: Handles,
  place: NewDeployment,
  begin: () => Promise<Template>,
  takeOver = false,
): Promise<void> {
  const show = editorShower(deck);
  const over = deck.messages.begin('Opening...');
  const opened = await deck.editor.compose(place, look, begin, takeOver);
  over();
  if (opened.kind === 'superseded') return;
  if (opened.kind === 'refused') return deck.messages.say(opened.sentence, 'bad');
  if (opened.kind === 'locked') {
    const shouldOpen = await confirmTakeOver(deck, place, opened.pid);
    return shouldOpen ? openDefinition(deck, place, begin, true) : undefined;
  }
  if (!show()) {
    deck.editor.close();
    return deck.messages.say('Opening the new deployment was cancelled.');
  }
  const { draftAt } = opened.definition;
  const sentAt = opened.definition.sentAt();
  if (sentAt !== undefined) {
    const sent = sentText(sentAt, deck.clock.now());
    deck.messages.say(`Sent ${sent}, but no answer came. Check the list before you send it again.`);
  } else if (draftAt !== undefined) {
    const time = formatTimeOfDay(draftAt);
    deck.messages.say(
      `Draft of ${time} opened. ${keyName('editor.save', '^S')} creates it, ${keyName('editor.undo', '^Z')} goes back to its template.`,
    );
  }
}
