import type { OrderName } from '../../store/lists/order.ts';

/**
 * Returns the order of the column that has a cell.
 * @param widths cells of the columns from the left, their gaps included.
 */
export function orderAt(
  widths: Readonly<Record<string, number>>,
  orders: Readonly<Partial<Record<string, OrderName>>>,
  x: number,
): OrderName | undefined {
  let end = 0;
  for (const [column, width] of Object.entries(widths)) {
    end += width;
    if (x >= 0 && x < end) return orders[column];
  }
  return undefined;
}
