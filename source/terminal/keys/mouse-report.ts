/** The wheel, or a button of the mouse that was pressed; releases and motions are not reported. */
export type MouseButton = 'left' | 'middle' | 'right' | 'wheel-up' | 'wheel-down';

/** A press of a mouse button on a cell, by column and row from 0. */
export interface MouseEvent {
  readonly kind: 'mouse';
  readonly button: MouseButton;
  readonly x: number;
  readonly y: number;
}

/** Buttons by the number of a report (xterm ctlseqs, "SGR Mouse Mode"). */
const buttons: Readonly<Record<number, MouseButton>> = {
  0: 'left',
  1: 'middle',
  2: 'right',
  64: 'wheel-up',
  65: 'wheel-down',
};

/**
 * Parses the part of a CSI sequence after `ESC [` as a report of SGR mode 1006, `<button;x;yM`, with
 * the column and the row from 1. Undefined for anything else: releases (`m`), motions, buttons with a
 * modifier, which terminals use for selections, and cells outside of any terminal.
 */
export function parseMouseReport(sequence: string): MouseEvent | undefined {
  const [, number, column, row] = /^<(\d{1,3});(\d{1,5});(\d{1,5})M$/.exec(sequence) ?? [];
  const button = buttons[Number(number)];
  const [x, y] = [Number(column) - 1, Number(row) - 1];
  return button === undefined || x < 0 || y < 0 ? undefined : { kind: 'mouse', button, x, y };
}
