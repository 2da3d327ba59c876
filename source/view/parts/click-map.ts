/** The places of the screen that a click acts on. */
import { type DOMElement, measureElement } from 'ink';
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react';
import type { Pane } from '../../store/deck/screen/focus.ts';
import type { ListPane } from '../../store/lists/list-panes.ts';
import type { OrderName } from '../../store/lists/order.ts';

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
  /** A hint of the footer, by the id of its command. */
  | { readonly kind: 'hint'; readonly command: string };

/** Returns the target in a cell of an area, by column and row from 0; undefined for none. */
export type TargetAt = (x: number, y: number) => ClickTarget | undefined;

interface Entry {
  readonly node: DOMElement;
  readonly targetAt: TargetAt;
  /** Returns false while the terminal has only some of the rows; clicks act on none of them. */
  readonly isWritten?: () => boolean;
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

  /** Covers all areas while a box or a prompt is open, which is answered by keys. */
  cover(isCovered: boolean): void {
    this.#isCovered = isCovered;
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
    if (this.#isCovered) return noAreas;
    const entries = [...this.#entries.values()];
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

/** Keeps clicks from all areas while `isCovered`. */
export function useClickCover(isCovered: boolean): void {
  const map = useContext(ClickMapContext);
  useLayoutEffect(() => map.cover(isCovered), [map, isCovered]);
}

/** Offers the area of an element to clicks; returns the reference to set on its Box. */
export function useClickArea(targetAt: TargetAt): RefObject<DOMElement | null> {
  const map = useContext(ClickMapContext);
  const ref = useRef<DOMElement>(null);
  // The function has the facts of the last drawing, so each drawing offers it anew.
  useLayoutEffect(() => {
    if (ref.current !== null) map.set(ref, { node: ref.current, targetAt });
  });
  useLayoutEffect(() => () => map.delete(ref), [map]);
  return ref;
}
