import {
  type Command,
  listContexts,
  pageContexts,
  paneContexts,
  scrollContexts,
  textContexts,
} from '../command/command.ts';
import { moveBy, moveSideways } from './movement.ts';

const contexts = paneContexts;
/** Cells of a step to the left or to the right. */
const sidewaysStep = 8;
const infinite = Number.POSITIVE_INFINITY;

/** Commands that scroll texts and move the cursor. */
export const movementCommands: readonly Command[] = [
  {
    id: 'text.wrap',
    keys: ['w'],
    contexts: ['logs', ...textContexts],
    label: 'wrap',
    group: 'view',
    help: 'wrap long lines',
    title: 'wrap',
    synonyms: ['fold', 'unwrap'],
    run({ deck }) {
      const wrap = deck.screen.reading.toggleWrap();
      deck.editor.act((text) => text.setWrap(wrap));
    },
  },
  {
    id: 'text.left',
    keys: ['left', 'h'],
    contexts: ['logs', ...pageContexts],
    group: 'view',
    help: 'sideways',
    run: ({ deck }) => moveSideways(deck, -sidewaysStep),
  },
  {
    id: 'text.right',
    keys: ['right', 'l'],
    contexts: ['logs', ...pageContexts],
    group: 'view',
    help: 'sideways',
    run: ({ deck }) => moveSideways(deck, sidewaysStep),
  },
  {
    id: 'text.left-edge',
    keys: ['0', 'ctrl+left'],
    contexts: ['logs', ...pageContexts],
    group: 'view',
    help: 'left edge',
    title: 'scroll to the left edge',
    run: ({ deck }) => moveSideways(deck, Number.NEGATIVE_INFINITY),
  },
  {
    id: 'text.next-page',
    keys: ['space'],
    contexts: scrollContexts,
    label: 'page',
    group: 'view',
    help: 'next page',
    run: ({ deck, viewport }) => moveBy(deck, Math.max(1, viewport.rows - 1), viewport),
  },
  {
    id: 'move.down',
    keys: ['j', 'down'],
    contexts,
    group: 'move',
    help: 'down',
    run: ({ deck, viewport }) => moveBy(deck, 1, viewport),
  },
  {
    id: 'move.up',
    keys: ['k', 'up'],
    contexts,
    group: 'move',
    help: 'up',
    run: ({ deck, viewport }) => moveBy(deck, -1, viewport),
  },
  {
    id: 'move.first',
    keys: ['g', 'home'],
    contexts,
    group: 'move',
    help: 'first',
    run: ({ deck, viewport }) => moveBy(deck, -infinite, viewport),
  },
  {
    id: 'move.last',
    keys: ['G', 'end'],
    contexts: [...listContexts, ...scrollContexts],
    group: 'move',
    help: 'last',
    run: ({ deck, viewport }) => moveBy(deck, infinite, viewport),
  },
  {
    id: 'move.half-down',
    keys: ['ctrl+d'],
    contexts,
    group: 'move',
    help: 'half a page down',
    run: ({ deck, viewport }) => moveBy(deck, Math.ceil(viewport.rows / 2), viewport),
  },
  {
    id: 'move.half-up',
    keys: ['ctrl+u'],
    contexts,
    group: 'move',
    help: 'half a page up',
    run: ({ deck, viewport }) => moveBy(deck, -Math.ceil(viewport.rows / 2), viewport),
  },
  {
    id: 'move.page-down',
    keys: ['pagedown', 'ctrl+f'],
    contexts,
    group: 'move',
    help: 'page down',
    run: ({ deck, viewport }) => moveBy(deck, Math.max(1, viewport.rows - 1), viewport),
  },
  {
    id: 'move.page-up',
    keys: ['pageup', 'ctrl+b'],
    contexts,
    group: 'move',
    help: 'page up',
    run: ({ deck, viewport }) => moveBy(deck, -Math.max(1, viewport.rows - 1), viewport),
  },
];
