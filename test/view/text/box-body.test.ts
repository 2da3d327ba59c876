import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pagedBody } from '../../../source/store/prompts/body-scroll.ts';
import { bodyView } from '../../../source/view/text/box-body.ts';
import { boxPlace, boxShape } from '../../../source/view/text/box-shape.ts';

test('pages down and up show every row of a body and stop at both ends', () => {
  const size = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 12 }), (count, room) => {
      const seen = new Set<number>();
      let view = bodyView(count, room);
      const show = () => {
        for (let row = view.top; row < view.top + view.page; row += 1) seen.add(row);
      };
      const page = (step: 1 | -1) => {
        view = bodyView(count, room, pagedBody({ ...view, isPaged: false }, step));
        show();
      };
      show();
      for (let pages = 0; pages < count; pages += 1) page(1);
      expect(seen.size).toBe(count);
      expect(view.top + view.page).toBe(count);
      for (let pages = 0; pages < count; pages += 1) page(-1);
      expect(view.top).toBe(0);
    }),
  );
});

test('a body shows its selected rows until a key scrolls it', () => {
  const selection = { first: 12, rows: 3 };
  expect(bodyView(16, 9, undefined, selection)).toMatchObject({ top: 7, range: '16 of 16' });
  const paged = pagedBody({ top: 7, last: 7, page: 9, isPaged: false }, -1);
  expect(bodyView(16, 9, paged, selection)).toMatchObject({ top: 0, range: '9 of 16' });
  expect(bodyView(9, 9).range).toBeUndefined();
});

test('a box is 64 cells wide and centred from 60x16 up, and a sheet below', () => {
  expect(boxShape(200, 50)).toEqual({ isSheet: false, width: 64, inner: 60, room: 46 });
  expect(boxPlace(200, 50, 10)).toMatchObject({ left: 68, top: 19, height: 12 });
  expect(boxShape(60, 16)).toMatchObject({ isSheet: false, width: 58 });
  for (const [columns, rows] of [
    [59, 16],
    [60, 15],
    [40, 12],
  ] as const) {
    expect(boxShape(columns, rows)).toMatchObject({ isSheet: true, inner: columns });
    expect(boxPlace(columns, rows, 2)).toMatchObject({ left: 0, top: 1, height: rows - 1 });
  }
});
