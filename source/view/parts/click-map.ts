/** The places of the screen that a click acts on. */
import { type DOMElement, measureElement } from 'ink';
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react';
import type { Pane } from '../../store/deck/screen/focus.ts';
import type { ListPane } from '../../store/lists/list-panes.ts';
import type { OrderName } from '../../store/lists/order.ts';
import type { BoxStop } from '../text/line.ts';

/** The target of a click: plain data, so that the targets of two frames can be compared. */
export type ClickTarget =
  | { readonly kind: 'pane'; readonly pane: Pane }
  | { readonly kind: 'row'; readonly pane: ListPane; readonly id: string }
  | { readonly kind: 'detail'; readonly key: string; readonly index: number }
  /** A line of a log, by the `seq` of its entry. */
  | { readonly kind: 'log-line'; readonly log: string; readonly seq: number }
  /** A line of a file in the viewer. */
  | { readonly kind: 'text-line'; readonly path: string; readonly index: number }
  /** A row of a difference, by the texts that it compares. */
  | { readonly kind: 'diff-row'; readonly sides: string; readonly index: number }
  | { readonly kind: 'column'; readonly pane: ListPane; readonly order: OrderName }
  /** A place of the open box; `box` is the title of the box. */
  | { readonly kind: 'box'; readonly box: string; readonly stop: BoxStop }
  /** A hint of the footer, by the id of its command. */
  | { readonly kind: 'hint'; readonly command: string };

/** Returns the target in a cell of an area, by column and row from 0; undefined for none. */
export type TargetAt = (x: number, y: number) => ClickTarget | undefined;

interface Entry {
  readonly node: DOMElement;
  readonly targetAt: TargetAt;
  /** Returns false while the terminal has only some of the rows; clicks act on none of them. */
  readonly isWritten?: () => boolean;
  /** True in a box, whose areas alone take clicks while it covers the others. */
  readonly isInBox?: boolean;
}

/** An area of a frame. */
interface ClickArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly targetAt: TargetAt;
}

/** The areas of one frame. */
export type ClickFrame = readonly ClickArea[];

/** The frame in which no click acts. */
export const noAreas: ClickFrame = [];

/** Collects the areas that the mounted components offer to clicks. */
export class ClickMap {
  readonly #entries = new Map<object, Entry>();
  #frame: ClickFrame | undefined;
  /** Areas of the frame that were not written whole. */
  #unwritten: readonly Entry[] = [];
  #isCovered = false;

  /** Covers the areas outside of the box while one is open, or a prompt, which has none. */
  cover(isCovered: boolean): void {
    this.#isCovered = isCovered;
    this.#frame = undefined;
  }

  set(owner: object, entry: Entry): void {
    this.#entries.set(owner, entry);
    this.#frame = undefined;
  }

  delete(owner: object): void {
    this.#entries.delete(owner);
    this.#frame = undefined;
  }

  /** Returns the areas as they are laid out now; the same object until a component or its rows draw. */
  frame(): ClickFrame {
    const entries = [...this.#entries.values()].filter(
      ({ isInBox }) => !this.#isCovered || isInBox === true,
    );
    const unwritten = entries.filter(({ isWritten }) => isWritten?.() === false);
    const isSame =
      unwritten.length === this.#unwritten.length &&
      unwritten.every((entry, index) => entry === this.#unwritten[index]);
    if (!isSame) this.#frame = undefined;
    this.#unwritten = unwritten;
    this.#frame ??= entries
      .filter((entry) => !unwritten.includes(entry))
      .map(({ node, targetAt }) => {
        const { x, y, width, height } = measureElement(node);
        return { x, y, width, height, targetAt };
      });
    return this.#frame;
  }
}

/**
 * Returns a name of a target by which the targets of two frames are compared. A step to an item
 * depends on the cursor of its list, which is elsewhere once a click has moved it.
 */
export function targetName(target: ClickTarget | undefined): string | undefined {
  if (target?.kind !== 'box') return JSON.stringify(target);
  const { steps: _, ...stop } = target.stop;
  return JSON.stringify({ ...target, stop });
}

/** Returns the target in a cell of a frame; of areas in each other, that of the smallest that has one. */
export function targetIn(
  frame: ClickFrame,
  cell: { readonly x: number; readonly y: number },
): ClickTarget | undefined {
  const areas = frame
    .filter(({ x, y, width, height }) => {
      const [column, row] = [cell.x - x, cell.y - y];
      return column >= 0 && row >= 0 && column < width && row < height;
    })
    .toSorted((one, other) => one.width * one.height - other.width * other.height);
  for (const { x, y, targetAt } of areas) {
    const target = targetAt(cell.x - x, cell.y - y);
    if (target !== undefined) return target;
  }
  return undefined;
}

export const ClickMapContext = createContext(new ClickMap());

/** The title of the box around a component; undefined outside of boxes. */
export const ClickBoxContext = createContext<string | undefined>(undefined);

/** Keeps clicks from all areas but those of the box while `isCovered`. */
export function useClickCover(isCovered: boolean): void {
  const map = useContext(ClickMapContext);
  useLayoutEffect(() => map.cover(isCovered), [map, isCovered]);
}

/** Offers the area of an element to clicks; returns the reference to set on its Box. */
export function useClickArea(targetAt: TargetAt): RefObject<DOMElement | null> {
  const map = useContext(ClickMapContext);
  const isInBox = useContext(ClickBoxContext) !== undefined;
  const ref = useRef<DOMElement>(null);
  // The function has the facts of the last drawing, so each drawing offers a new one.
  useLayoutEffect(() => {
    if (ref.current !== null) map.set(ref, { node: ref.current, targetAt, isInBox });
  });
  useLayoutEffect(() => () => map.delete(ref), [map]);
  return ref;
}
