import { decodeText } from '../../../source/client/file-content.ts';
import { reduceSave } from '../../../source/store/editor/save-machine.ts';
import {
  openedSave,
  type RemoteFile,
  type SaveChoice,
  type SaveEvent,
  type SaveRequest,
  type SaveState,
} from '../../../source/store/editor/save-state.ts';
import { done, failure } from '../requests.ts';

/** The end of the request in flight. */
export type Ending = 'done' | 'refused' | 'unknown, done' | 'unknown, not done';

function fileOf(text: string | undefined): RemoteFile | undefined {
  if (text === undefined) return undefined;
  const bytes = new TextEncoder().encode(text);
  return { bytes, text: decodeText(bytes), modifiedAt: undefined };
}

/** A person, a stranger and a service with one file; time advances by calls only. */
export interface SaveWorld {
  readonly state: SaveState;
  /** The service's text; undefined without a file. */
  remote: string | undefined;
  /** The editor's text. */
  editor: string;
  readonly keptTheirs: readonly (string | undefined)[];
  readonly keptMine: readonly string[];
  /** Texts of all requested writes, and times of all reported changes. */
  readonly puts: readonly string[];
  readonly changes: number;
  readonly underWay: SaveRequest | undefined;
  save(): void;
  choose(choice: SaveChoice): void;
  /** Reads the file beside a save; the answer comes with {@link looked}. */
  look(): void;
  looked(): void;
  /** Ends the request in flight, if there is one. */
  end(ending?: Ending): void;
  /** Ends all requests in flight. */
  finish(): void;
}

export interface SaveWorldOptions {
  readonly opened: string | undefined;
  /** True when a PUT creates a file; otherwise only an upload does. */
  readonly putCreates?: boolean;
  /** Called before each step is applied. */
  readonly onStep?: (
    event: SaveEvent,
    before: SaveState,
    step: ReturnType<typeof reduceSave>,
  ) => void;
}

export function createSaveWorld({
  opened,
  putCreates = false,
  onStep,
}: SaveWorldOptions): SaveWorld {
  let state = openedSave(fileOf(opened));
  let underWay: SaveRequest | undefined;
  let changes = 0;
  let looking: Extract<SaveEvent, { kind: 'seen' }> | undefined;
  const keptTheirs: (string | undefined)[] = [];
  const keptMine: string[] = [];
  const puts: string[] = [];

  const step = (event: SaveEvent): void => {
    const next = reduceSave(state, event);
    onStep?.(event, state, next);
    if (next.request !== undefined) {
      if (underWay !== undefined) throw new Error('two requests at once');
      underWay = next.request;
    }
    state = next.state;
    if (next.changedAt !== undefined) changes += 1;
    if (next.show !== undefined) world.editor = next.show.text ?? '';
  };

  const answerTo = (request: SaveRequest, ending: Ending): SaveEvent => {
    const at = 1000;
    switch (request.kind) {
      case 'check': {
        if (ending !== 'done') {
          const { error } = failure('timeout');
          return { kind: 'checked', at, answer: { kind: 'failed', error } };
        }
        const file = fileOf(world.remote);
        const answer = file ? ({ kind: 'found', file } as const) : ({ kind: 'missing' } as const);
        return { kind: 'checked', at, answer };
      }
      case 'keep theirs':
      case 'keep mine': {
        if (ending !== 'done') {
          return { kind: 'kept', kept: { ok: false, sentence: 'Disk full.' }, mine: world.editor };
        }
        if (request.kind === 'keep mine') keptMine.push(request.text);
        else
          keptTheirs.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(request.file.bytes));
        return { kind: 'kept', kept: { ok: true }, mine: world.editor };
      }
      case 'put':
      case 'upload': {
        puts.push(request.text);
        if (request.kind === 'put' && world.remote === undefined && !putCreates) {
          return { kind: 'sent', at, result: failure('not-found') };
        }
        if (ending === 'done' || ending === 'unknown, done') world.remote = request.text;
        if (ending === 'done') return { kind: 'sent', at, result: done };
        const unknownOutcome = ending !== 'refused';
        return { kind: 'sent', at, result: failure('service-error', { unknownOutcome }) };
      }
    }
  };

  const world: SaveWorld = {
    get state() {
      return state;
    },
    remote: opened,
    editor: opened ?? '',
    keptTheirs,
    keptMine,
    puts,
    get changes() {
      return changes;
    },
    get underWay() {
      return underWay;
    },
    save: () => step({ kind: 'save', mine: world.editor }),
    choose: (choice) => step({ kind: 'choose', choice, mine: world.editor }),
    look() {
      if (state.base === undefined) return;
      const file = fileOf(world.remote);
      const answer = file ? ({ kind: 'found', file } as const) : ({ kind: 'missing' } as const);
      looking ??= { kind: 'seen', base: state.base, answer, mine: '' };
    },
    looked() {
      if (looking !== undefined) step({ ...looking, mine: world.editor });
      looking = undefined;
    },
    end(ending = 'done') {
      const request = underWay;
      underWay = undefined;
      if (request !== undefined) step(answerTo(request, ending));
    },
    finish() {
      while (world.underWay !== undefined) world.end();
    },
  };
  return world;
}
