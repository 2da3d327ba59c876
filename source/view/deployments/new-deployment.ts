import type { Deck } from '../../store/deck/deck.ts';
import type { Template } from '../../store/editor/editor.ts';
import { isNewDeployment, type NewDeployment, placeKey } from '../../store/drafts/places.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import type { TemplateName, ServiceKind } from '../../store/editor/templates.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { editorShower, look } from '../editor/document.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { shortDateText, sentText } from '../text/unfinished.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'editor'>;

/** Something that the definition of a new deployment can begin with. */
export interface TemplateChoice {
  readonly name: string;
  readonly meaning: string;
  choose(): void;
}

/** `a`: asks what the definition of a new deployment begins with. */
export function askNewDeployment(deck: Pick<Deck, 'screen' | 'editor'>): void {
  deck.editor.prepare();
  deck.screen.overlay.open({ kind: 'beginnings', narrow: '', caret: 0 });
}

/** Drafts that wait first, then the templates. */
export function templateChoices(
  deck: Pick<Deck, 'profile' | 'clock' | 'screen' | 'messages' | 'files' | 'drafts' | 'editor'>,
): readonly TemplateChoice[] {
  const now = deck.clock.now();
  const drafts = [...deck.drafts.state.getState().drafts.values()]
    .sort((one, other) => other.at - one.at)
    .flatMap((draft): readonly TemplateChoice[] => {
      if (!isNewDeployment(draft)) return [];
      const meaning = draft.sentAt === undefined ? 'not sent yet' : 'sent, no answer came';
      const name = `draft of ${shortDateText(draft.at, now)}`;
      const about = draft.name === undefined ? '' : `: ${draft.name}`;
      return [
        { name, meaning: `go on; ${meaning}${about}`, choose: () => void goOnWith(deck, draft) },
      ];
    });
  const { workloads = ['image'] } = deck.profile;
  const templates = workloads.flatMap((workload) =>
    templateNames.map(([name, meaning]) => ({
      name: workload === 'image' && workloads.length > 1 ? `${name}, image` : name,
      meaning,
      choose: () => void compose(deck, newPlace(deck), () => template(name, workload)),
    })),
  );
  const file = {
    name: 'local file',
    meaning: 'a definition on this machine',
    choose: () => askFile(deck),
  };
  return [...drafts, ...templates, file];
}

const templateNames = [
  ['web', 'one service that answers HTTP'],
  ['worker', 'one service that works by itself'],
  ['web and api', 'two services, one behind the other'],
] as const;

async function template(name: TemplateName, workload: ServiceKind): Promise<Template> {
  const { templateOf } = await import('../../store/editor/templates.ts');
  return { ok: true, text: templateOf(name, workload) };
}

/** `A`: a new deployment that begins with the definition of the one under the cursor. */
export async function composeLike(
  deck: Pick<
    Deck,
    'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'drafts' | 'editor'
  >,
): Promise<void> {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return deck.messages.say('There is no deployment here to begin with.');
  await compose(deck, newPlace(deck), () => definitionOf(deck, id));
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
    return { ok: false, sentence: `${sentence} ${next}` };
  }
  const text = known();
  return text === undefined
    ? {
        ok: false,
        sentence: `The service does not give the definition of ${deck.deployments.label(id)}. a offers templates.`,
      }
    : { ok: true, text };
}

/** Goes on with what was written before. */
export function goOnWith(deck: Handles, place: NewDeployment): Promise<void> {
  const gone = { ok: false, sentence: 'That draft is not there any more.' } as const;
  return compose(deck, place, async () => gone);
}

function askFile(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'files' | 'drafts' | 'editor'>,
): void {
  const prompt = {
    label: 'New deployment from file: ',
    completions: async (text: string) => completePath(text, (await deck.files.work()).local, false),
    submit: (typed: string) =>
      void compose(deck, newPlace(deck), async () => {
        const read = await readFile(deck, typed);
        // The row that it was typed in says why: what was typed is there again when it is asked for.
        if (!read.ok) deck.screen.forms.keepPath(typed);
        return read;
      }),
  };
  const { keptPath } = deck.screen.getState();
  deck.screen.overlay.open(prompting(prompt, keptPath));
  deck.screen.forms.keepPath('');
}

/** Bytes up to which a file is taken for a definition. */
const largestDefinition = 1 << 20;

async function readFile(deck: Pick<Deck, 'files'>, typed: string): Promise<Template> {
  const { local } = await deck.files.work();
  const [path, ...others] = parsePaths(typed, local.home);
  if (path === undefined || others.length > 0) {
    return { ok: false, sentence: 'That is not one file.' };
  }
  const read = await local.read(local.resolve(path), largestDefinition);
  if (read.ok) return read;
  return { ok: false, sentence: `${path} is not opened: ${read.reason}. a keeps the path.` };
}

/** A place that no draft is at. */
function newPlace({ clock, drafts }: Pick<Deck, 'clock' | 'drafts'>): NewDeployment {
  const taken = drafts.state.getState().drafts;
  let at = clock.now();
  while (taken.has(placeKey({ newDeployment: String(at) }))) at += 1;
  return { newDeployment: String(at) };
}

async function compose(
  deck: Handles,
  place: NewDeployment,
  begin: () => Promise<Template>,
): Promise<void> {
  const show = editorShower(deck);
  deck.messages.say('Opening...');
  const opened = await deck.editor.compose(place, look, begin);
  if (opened.kind === 'superseded') return;
  if (opened.kind === 'refused') return deck.messages.say(opened.sentence, 'bad');
  if (!show()) {
    deck.editor.close();
    return deck.messages.say(
      'The new deployment is not opened: something else was done meanwhile.',
    );
  }
  const { draftAt } = opened.definition;
  const sentAt = opened.definition.sentAt();
  if (sentAt !== undefined) {
    const sent = sentText(sentAt, deck.clock.now());
    deck.messages.say(`Sent ${sent}, no answer came: look at the list before you send it again.`);
  } else if (draftAt !== undefined) {
    const time = formatTimeOfDay(draftAt);
    deck.messages.say(
      `Your draft of ${time} goes on. ^S creates it, ^Z goes back to its beginning.`,
    );
  }
}
