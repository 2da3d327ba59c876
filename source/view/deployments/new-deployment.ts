import type { Console } from '../../store/deck/deck.ts';
import type { Beginning } from '../../store/editor/editor.ts';
import { isNewDeployment, type NewDeployment, placeKey } from '../../store/drafts/places.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import type { TemplateName, Workload } from '../../store/editor/templates.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { editorShower, look } from '../editor/commands.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { momentText, sentText } from '../text/unfinished.ts';

/** Something that the definition of a new deployment can begin with. */
export interface BeginningChoice {
  readonly name: string;
  readonly meaning: string;
  choose(): void;
}

/** `a`: asks what the definition of a new deployment begins with. */
export function askNewDeployment(console: Console): void {
  console.editor.prepare();
  console.screen.setState({ overlay: { kind: 'beginnings', narrow: '', caret: 0 } });
}

/** Drafts that wait first, then the templates. */
export function beginningChoices(console: Console): readonly BeginningChoice[] {
  const now = console.clock.now();
  const drafts = [...console.drafts.state.getState().drafts.values()]
    .sort((one, other) => other.at - one.at)
    .flatMap((draft): readonly BeginningChoice[] => {
      if (!isNewDeployment(draft)) return [];
      const meaning = draft.sentAt === undefined ? 'not sent yet' : 'sent, no answer came';
      const name = `draft of ${momentText(draft.at, now)}`;
      const about = draft.name === undefined ? '' : `: ${draft.name}`;
      return [
        { name, meaning: `go on; ${meaning}${about}`, choose: () => void goOnWith(console, draft) },
      ];
    });
  const { workloads = ['image'] } = console.profile;
  const templates = workloads.flatMap((workload) =>
    templateNames.map(([name, meaning]) => ({
      name: workload === 'image' && workloads.length > 1 ? `${name}, image` : name,
      meaning,
      choose: () => void compose(console, newPlace(console), () => template(name, workload)),
    })),
  );
  const file = {
    name: 'local file',
    meaning: 'a definition on this machine',
    choose: () => askFile(console),
  };
  return [...drafts, ...templates, file];
}

const templateNames = [
  ['web', 'one service that answers HTTP'],
  ['worker', 'one service that works by itself'],
  ['web and api', 'two services, one behind the other'],
] as const;

async function template(name: TemplateName, workload: Workload): Promise<Beginning> {
  const { templateOf } = await import('../../store/editor/templates.ts');
  return { ok: true, text: templateOf(name, workload) };
}

/** `A`: a new deployment that begins with the definition of the one under the cursor. */
export async function composeLike(console: Console): Promise<void> {
  const id = deploymentUnderCursor(console);
  if (id === undefined) return console.say('There is no deployment here to begin with.');
  await compose(console, newPlace(console), () => definitionOf(console, id));
}

async function definitionOf(console: Console, id: string): Promise<Beginning> {
  const { deployments } = console;
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
        sentence: `The service does not give the definition of ${console.label(id)}. a offers templates.`,
      }
    : { ok: true, text };
}

/** Goes on with what was written before. */
export function goOnWith(console: Console, place: NewDeployment): Promise<void> {
  const gone = { ok: false, sentence: 'That draft is not there any more.' } as const;
  return compose(console, place, async () => gone);
}

function askFile(console: Console): void {
  const prompt = {
    label: 'New deployment from file: ',
    completions: async (text: string) =>
      completePath(text, (await console.fileWork()).local, false),
    submit: (typed: string) =>
      void compose(console, newPlace(console), async () => {
        const read = await readFile(console, typed);
        // The row that it was typed in says why: what was typed is there again when it is asked for.
        if (!read.ok) console.screen.setState({ keptPath: typed });
        return read;
      }),
  };
  const { keptPath } = console.screen.getState();
  console.screen.setState({ overlay: prompting(prompt, keptPath), keptPath: '' });
}

/** Bytes up to which a file is taken for a definition. */
const largestDefinition = 1 << 20;

async function readFile(console: Console, typed: string): Promise<Beginning> {
  const { local } = await console.fileWork();
  const [path, ...others] = parsePaths(typed, local.home);
  if (path === undefined || others.length > 0) {
    return { ok: false, sentence: 'That is not one file.' };
  }
  const read = await local.read(local.resolve(path), largestDefinition);
  if (read.ok) return read;
  return { ok: false, sentence: `${path} is not opened: ${read.reason}. a keeps the path.` };
}

/** A place that no draft is at. */
function newPlace({ clock, drafts }: Console): NewDeployment {
  const taken = drafts.state.getState().drafts;
  let at = clock.now();
  while (taken.has(placeKey({ newDeployment: String(at) }))) at += 1;
  return { newDeployment: String(at) };
}

async function compose(
  console: Console,
  place: NewDeployment,
  begin: () => Promise<Beginning>,
): Promise<void> {
  const show = editorShower(console);
  console.say('Opening...');
  const opened = await console.editor.compose(place, look, begin);
  if (opened.kind === 'superseded') return;
  if (opened.kind === 'refused') return console.say(opened.sentence, 'bad');
  if (!show()) {
    console.editor.close();
    return console.say('The new deployment is not opened: something else was done meanwhile.');
  }
  const { draftAt } = opened.definition;
  const sentAt = opened.definition.sentAt();
  if (sentAt !== undefined) {
    const sent = sentText(sentAt, console.clock.now());
    console.say(`Sent ${sent}, no answer came: look at the list before you send it again.`);
  } else if (draftAt !== undefined) {
    const time = formatTimeOfDay(draftAt);
    console.say(`Your draft of ${time} goes on. ^S creates it, ^Z goes back to its beginning.`);
  }
}
