import type { Deck } from '../../../source/store/deck/deck.ts';
import {
  type GrantForm,
  grantStops,
  typedLine,
  newGrantForm,
} from '../../../source/store/grants/form.ts';
import { openServicePicker, serviceChoice } from '../../../source/store/log/reader/services.ts';
import { noMarks } from '../../../source/store/lists/marks.ts';
import type { MainView } from '../../../source/store/deck/screen/main-view.ts';
import type { Overlay } from '../../../source/store/deck/screen/overlay.ts';
import { panes } from '../../../source/store/deck/screen/focus.ts';
import { templates } from '../../../source/store/editor/templates.ts';
import { eachListPane } from '../../../source/store/lists/list-panes.ts';
import { openMenu } from '../../../source/store/prompts/menu.ts';
import { templateMenu } from '../../../source/view/deployments/new-deployment.ts';
import { serviceMenu } from '../../../source/view/files/open-file.ts';
import { profileMenu } from '../../../source/view/shell/switch-profile.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { askToCreate } from '../../../source/view/editor/create-deployment.ts';
import { contextOf } from '../../../source/view/command/command.ts';
import { createPalette } from '../../../source/view/shell/palette/palette.ts';
import { look } from '../../store/editor/open-editor.ts';
import { quietTerminal } from '../quiet-terminal.ts';
import { press, type } from '../press-keys.ts';
import { type ScreenChange, setScreen } from '../../support/set-screen.ts';

/** A context that receives keys. */
export interface KeyContext {
  readonly name: string;
  /** Switches to the context from any state. */
  readonly arrange: () => void;
}

/** Objects that the keys act on. */
export interface KeySubjects {
  /** Id of one of several deployments, with a file `index.html` in its service `web`. */
  readonly deployment: string;
  /** Id of a grant that the caller may revoke. */
  readonly grant: string;
  /** Last four letters of the grant's address. */
  readonly ending: string;
}

const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';

/**
 * Returns every context that receives keys: each pane, each view of pane 4, each overlay. A new kind
 * without an entry here does not compile. Boxes may already be answered and are on their first
 * button; forms are on the button that sends them.
 */
export async function everyContext(
  deck: Deck,
  { deployment, grant, ending }: KeySubjects,
): Promise<readonly KeyContext[]> {
  const { getState } = deck.screen;
  const setState = (change: ScreenChange) => setScreen(deck.screen, change);
  const base = {
    overlay: undefined,
    message: undefined,
    fullscreen: false,
    filters: eachListPane(() => ''),
    marks: noMarks,
    deploymentMarks: noMarks,
    cursors: {
      deployments: { id: deployment, index: 0 },
      files: { id: 'index.html', index: 0 },
      grants: { id: grant, index: 0 },
    },
  };
  const place = { deploymentId: deployment, service: 'web', path: 'index.html' };
  const file = await deck.editor.open(place, look);
  const begin = async () => ({ ok: true, text: templates.web }) as const;
  const definition = await deck.editor.compose({ newDeployment: '1' }, look, begin);
  if (file.kind !== 'open' || definition.kind !== 'open') throw new Error('nothing to edit');

  const onDeployments = (): void => setState({ ...base, focus: 'deployments' });

  const onFiles = (): void => setState({ ...base, focus: 'files' });

  const onLog = (): void => setState({ ...base, focus: 'main', main: { kind: 'logs' } });

  const onGrants = (): void => setState({ ...base, focus: 'grants' });

  function inEditor(kind: 'file' | 'definition' = 'file'): void {
    const edited =
      kind === 'file'
        ? { document: file.kind === 'open' ? file.file : undefined }
        : { document: definition.kind === 'open' ? definition.definition : undefined };
    deck.editor.state.setState({
      ...edited,
      file: kind === 'file' && file.kind === 'open' ? file.file : undefined,
    });
    setState({ ...base, focus: 'main', main: { kind: 'editor' } });
  }

  function marked(): void {
    const ids = deck.deployments.list.state.getState().rows.map(({ value }) => value.id);
    onDeployments();
    setState({ deploymentMarks: new Set(ids) });
  }

  function palette(text = ''): void {
    onDeployments();
    const viewport = { rows: 10, lines: 100 };
    const action = { deck, terminal: quietTerminal(), viewport, openPalette() {} };
    setState({ overlay: createPalette(action, registeredCommands) });
    type(deck, text);
  }

  /** Opens a box by keys, skips the wait until it may be answered, and types into it. */
  const box = (from: () => void, keys: readonly string[], word: string) => () => {
    from();
    press(deck, ...keys);
    type(deck, word);
    read();
  };

  function read(): void {
    setState(({ overlay }) =>
      overlay?.kind === 'question' || overlay?.kind === 'restart' || overlay?.kind === 'restarts'
        ? { overlay: { ...overlay, shownAt: 0 } }
        : {},
    );
  }

  function changed(): void {
    deck.restarts.filesChanged(deployment, { service: 'web', path: 'index.html' });
    onDeployments();
  }

  const filled = (stop: GrantForm['stop']): GrantForm => {
    const lines = { to: typedLine(dana), limit: typedLine('50'), until: typedLine('30d') };
    const shownAt = stop === 'grant' ? Number.POSITIVE_INFINITY : 0;
    return { ...newGrantForm(), lines, stop, shownAt, left: ['to', 'limit', 'until'] };
  };

  const views: Readonly<Record<MainView['kind'], readonly MainView[]>> = {
    logs: [{ kind: 'logs' }],
    patterns: [{ kind: 'patterns' }],
    file: [{ kind: 'file' }],
    editor: [],
    diff: [{ kind: 'diff' }],
    deployment: [
      { kind: 'deployment', id: deployment },
      { kind: 'deployment', id: deployment, raw: true },
    ],
    grant: [
      { kind: 'grant', id: grant },
      { kind: 'grant', id: grant, raw: true },
    ],
    answer: panesOfLists.map((pane) => ({ kind: 'answer', pane })),
    line: [
      {
        kind: 'line',
        deploymentId: deployment,
        entry: { kind: 'line', seq: 1, place: 1, line: { logLine: 'listening on 8080' } },
      },
    ],
    history: [{ kind: 'history' }],
  };

  const name = deck.deployments.label(deployment);
  const { length } = deck.deployments.list.state.getState().rows;
  const overlays: Readonly<Record<Overlay['kind'], Readonly<Record<string, () => void>>>> = {
    help: { 'of the files': () => setState({ ...base, overlay: help }) },
    menu: {
      'of services': () => setState({ ...base, overlay: openMenu(serviceMenu(deck)) }),
      'of templates': () => setState({ ...base, overlay: openMenu(templateMenu(deck)) }),
      'of profiles': () => setState({ ...base, overlay: openMenu(profileMenu(deck)) }),
    },
    'log-services': {
      'just opened': () => setState({ ...base, overlay: openServicePicker([]) }),
      'with one marked': () =>
        setState({
          ...base,
          overlay: { ...openServicePicker(['web'].map(serviceChoice)), marks: true },
        }),
    },
    'log-filters': {
      empty: () => setState({ ...base, overlay: { kind: 'log-filters', index: 0 } }),
    },
    'log-columns': {
      'with two fields': () =>
        setState({
          ...base,
          overlay: { kind: 'log-columns', index: 0, keys: ['status', 'user'] },
        }),
    },
    trash: {
      'of a deleted file': () =>
        setState({
          ...base,
          overlay: {
            kind: 'trash',
            restarts: [],
            batches: [
              [
                {
                  id: 'copy',
                  deploymentId: deployment,
                  service: 'web',
                  path: 'app.yaml',
                  reason: 'deleted',
                  at: 0,
                  size: 1,
                },
              ],
            ],
            isWhole: false,
            narrow: '',
            caret: 0,
            chosen: undefined,
            shownAt: 0,
          },
        }),
    },
    filter: { 'of the deployments': box(onDeployments, ['/'], '') },
    prompt: {
      'of a new file': box(onFiles, ['a'], ''),
      'of another path': box(onFiles, ['m'], 'x'),
      'of an upload': box(onFiles, ['p'], '/etc/hostname'),
      'of a search in the log': box(onLog, ['/'], 'listening'),
      'of a regular expression in the log': box(onLog, ['/', 'tab'], '[a-'),
      'of a filter of the log': box(onLog, ['&'], 'level:warn'),
    },
    palette: {
      empty: () => palette(),
      'with what closes': () => palette('close'),
      'with what restarts': () => palette('restart'),
      'with what revokes': () => palette('revoke'),
    },
    find: {
      find: box(inEditor, ['ctrl+f'], ''),
      line: box(inEditor, ['ctrl+f'], 'x'),
      replace: box(inEditor, ['ctrl+f', 'x', 'tab'], 'y'),
    },
    question: {
      'before one is closed': box(onDeployments, ['X'], ''),
      'before one is closed, with its name': box(onDeployments, ['X'], name),
      'before all are closed, with the word': box(marked, ['X'], `close ${length}`),
      'before all are restarted': box(marked, ['r'], ''),
      'before a grant is revoked': box(onGrants, ['X'], ''),
      'before a grant is revoked, with its ending': box(onGrants, ['X'], ending),
      'before a deployment is created': () => {
        inEditor('definition');
        if (definition.kind === 'open') void askToCreate(deck, definition.definition);
        read();
      },
      'before it is left while restarts count': box(changed, ['ctrl+z'], ''),
      'before a file is deleted': box(onFiles, ['X'], ''),
    },
    grant: {
      'just opened': box(onGrants, ['a'], ''),
      'like the one under the cursor': box(onGrants, ['A'], ''),
      ...Object.fromEntries(
        grantStops.map((stop) => [
          `filled in, on ${stop}`,
          () => {
            onGrants();
            setState({ overlay: filled(stop) });
          },
        ]),
      ),
    },
    restart: {
      'nothing waits for': () => {
        deck.restarts.forget(deployment);
        box(onDeployments, ['r'], '')();
      },
    },
    restarts: { 'that count': box(changed, ['r'], '') },
  };

  function expected<T>(kind: T, found: T | undefined, where: string): void {
    if (found !== kind) throw new Error(`${where} leads to ${String(found)}`);
  }

  return [
    ...panes.map((focus) => ({
      name: `pane ${focus}`,
      arrange: () => setState({ ...base, focus, main: { kind: 'logs' } }),
    })),
    ...Object.values(views)
      .flat()
      .map((main) => ({
        name: `view ${JSON.stringify(main)}`,
        arrange() {
          setState({ ...base, focus: 'main', main });
          if (contextOf('main', main) === 'edit') throw new Error('that is the editor');
        },
      })),
    ...(['file', 'definition'] as const).map((kind) => ({
      name: `editor of a ${kind}`,
      arrange() {
        inEditor(kind);
        expected(kind, deck.editor.state.getState().document?.kind, 'the editor');
      },
    })),
    { name: 'marked deployments', arrange: marked },
    ...Object.entries(overlays).flatMap(([kind, ways]) =>
      Object.entries(ways).map(([what, arrange]) => ({
        name: `${kind} ${what}`,
        arrange() {
          arrange();
          expected(kind, getState().overlay?.kind, `${kind} ${what}`);
        },
      })),
    ),
  ];
}

const panesOfLists = ['deployments', 'files', 'grants'] as const;
const help: Overlay = { kind: 'help', pane: 'files', text: '', caret: 0 };
