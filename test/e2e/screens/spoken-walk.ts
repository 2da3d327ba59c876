import { channel } from 'node:diagnostics_channel';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Editor } from '../console-here.ts';
import { Transcript } from '../transcript.ts';
import type { Step } from './fixture.ts';
import type { Spoken } from './kept-speech.ts';
import { ScreenSession, sizeOf, withoutPort } from './session.ts';
import { escape, startSaid, stepsOf, type Walk } from './walks.ts';

/** Milliseconds from which timers wait for the clock of the test: a pause of the typing is longer. */
const waitsFrom = 400;

/**
 * Milliseconds without a key after which all is said that waits for the end of typing. Whole seconds:
 * what is drawn each second has timers up to the next one.
 */
const typingPause = 1000;

/** Turns of the event loop in a row in which nothing was under way. */
const stillTurns = 20;

/** Milliseconds in which what is recorded must not go on: parts of the program load on first use. */
const recordingPause = 300;

/** Counts the requests of this process that are not answered. */
class Requests implements Disposable {
  #open = 0;
  readonly #begin = () => {
    this.#open += 1;
  };
  readonly #end = () => {
    this.#open -= 1;
  };
  readonly #ends = [channel('undici:request:trailers'), channel('undici:request:error')];

  constructor() {
    channel('undici:request:create').subscribe(this.#begin);
    for (const end of this.#ends) end.subscribe(this.#end);
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  [Symbol.dispose](): void {
    channel('undici:request:create').unsubscribe(this.#begin);
    for (const end of this.#ends) end.unsubscribe(this.#end);
  }
}

/** A console for a screen reader, and where in its output the present step began. */
class Listener {
  readonly #screen: ScreenSession;
  readonly #requests: Requests;
  #from = 0;

  constructor(screen: ScreenSession, requests: Requests) {
    this.#screen = screen;
    this.#requests = requests;
  }

  /** Everything that was said on the present step. */
  get said(): string {
    const output = this.#screen.session.transcript.slice(this.#from);
    return withoutPort(output.replaceAll('\r\n', '\n'));
  }

  begin(): void {
    this.#from = this.#screen.session.transcript.length;
  }

  /**
   * Waits until nothing is under way by which more could be said: no request, no timer that runs by
   * itself, and no turn of the event loop.
   */
  async settle(): Promise<void> {
    let { said } = this;
    for (let still = 0; still < stillTurns; still += 1) {
      const isWaiting = this.#requests.isOpen || this.#screen.hasTimer;
      await (isWaiting ? sleep(1) : turn());
      if (isWaiting || said !== this.said) still = 0;
      ({ said } = this);
    }
  }

  /** Waits until this is said, or something else. */
  async hear(expected: string): Promise<void> {
    const isOver = () => this.said.length >= expected.length || !expected.startsWith(this.said);
    await this.#screen.session.waitFor(isOver).catch(() => undefined);
    await this.settle();
  }

  /** Waits until a text is said that the step waits for, and nothing more. */
  async hearAll(awaited: string): Promise<void> {
    await this.#screen.session.waitFor(() => this.said.includes(awaited));
    let { said } = this;
    do {
      ({ said } = this);
      await this.settle();
      await sleep(recordingPause);
    } while (said !== this.said);
  }
}

/**
 * Takes a walk in the console for a screen reader, and returns what is said on each step. With `expected`
 * each step goes on as soon as that was said and nothing is under way; anything else fails.
 */
export async function takeSpoken(
  walk: Walk,
  expected: readonly Spoken[] | undefined,
): Promise<readonly Spoken[]> {
  using requests = new Requests();
  await using screen = await ScreenSession.start({ ...walk, steps: [] }, sizeOf('200x50'), {
    args: ['--screen-reader'],
    editor: editorOf(walk),
    waitsFrom,
  });
  const listener = new Listener(screen, requests);
  const steps: Spoken[] = [];
  for (const { name, take, awaited = '' } of spokenSteps(walk)) {
    if (take === undefined) steps.push({ step: name, said: '' });
    else {
      listener.begin();
      await take(screen);
      const said = expected?.[steps.length]?.said;
      await (said === undefined ? listener.hearAll(awaited) : listener.hear(said));
      steps.push({ step: name, said: listener.said });
    }
    if (expected !== undefined) expect(steps.at(-1)).toEqual(expected[steps.length - 1]);
  }
  if (expected !== undefined) expect(steps).toHaveLength(expected.length);
  new Transcript(screen.session).expectAppendOnly();
  return steps;
}

interface SpokenStep {
  /** Its line in the record. */
  readonly name: string;
  /** Undefined for a heading. */
  readonly take?: (screen: ScreenSession) => Promise<void> | void;
  /** A text that is said on it. */
  readonly awaited?: string;
}

/** Returns the steps of a walk, each section below the name of what it leads to. */
function spokenSteps(walk: Walk): readonly SpokenStep[] {
  const sections: SpokenStep[] = [];
  let section: SpokenStep[] = [{ name: 'start', take: () => undefined, awaited: startSaid }];
  for (const step of stepsOf(walk, 'spoken')) {
    if ('keep' in step) {
      sections.push({ name: `## ${step.keep}` }, ...section);
      section = [];
    } else if ('see' in step) {
      const last = section.pop();
      if (last !== undefined) section.push({ ...last, awaited: step.see });
    } else section.push(...singleSteps(step));
  }
  return section.length === 0 ? sections : [...sections, { name: '## the end' }, ...section];
}

/** Returns the keys of a step one by one; typed text is followed by a pause. */
function singleSteps(step: Step): readonly SpokenStep[] {
  const take = (screen: ScreenSession) => screen.take(step);
  if ('press' in step) {
    return step.press.map((key) => ({
      name: key,
      take: (screen) => screen.take({ press: [key] }),
    }));
  }
  if ('advance' in step) return [{ name: `after ${step.advance} ms`, take }];
  if (!('type' in step)) return [{ name: JSON.stringify(step), take }];
  if (step.type === escape) return [{ name: 'escape', take }];
  const pause = { name: 'a pause', take: (screen: ScreenSession) => screen.advance(typingPause) };
  return [{ name: JSON.stringify(step.type), take }, pause];
}

function editorOf({ edits }: Walk): Editor | undefined {
  if (edits === undefined) return undefined;
  return (text) => ({ kind: 'changed', text: text.replace(...edits) });
}
