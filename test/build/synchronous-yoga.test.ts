import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { assert, expect, test } from 'vitest';
import { patchedSource } from '../../.config/patch-packages.ts';
import { synchronousYoga } from '../../.config/replacements.ts';
import stock, { type Node } from 'yoga-layout';
import wrapAssembly from '../../node_modules/yoga-layout/dist/src/wrapAssembly.js';

const packages = new URL('../../node_modules/', import.meta.url);

/** A box: its part of the room, its own size, and what is in it. */
interface Box {
  readonly grow: number;
  readonly size: number;
  readonly across: boolean;
  readonly padding: number;
  readonly boxes: readonly Box[];
}

const box = (depth: number): fc.Arbitrary<Box> =>
  fc.record({
    grow: fc.nat(2),
    size: fc.nat(9),
    across: fc.boolean(),
    padding: fc.nat(2),
    boxes: fc.array(depth === 0 ? fc.constant(leaf) : box(depth - 1), { maxLength: 3 }),
  });

const leaf: Box = { grow: 1, size: 5, across: false, padding: 0, boxes: [] };

type Yoga = Pick<typeof stock, 'Node'>;

function build(yoga: Yoga, { grow, size, across, padding, boxes }: Box): Node {
  const node = yoga.Node.create();
  node.setFlexGrow(grow);
  node.setFlexShrink(1);
  node.setFlexDirection(across ? stock.FLEX_DIRECTION_ROW : stock.FLEX_DIRECTION_COLUMN);
  node.setPadding(stock.EDGE_ALL, padding);
  if (boxes.length === 0)
    node.setMeasureFunc((width) => ({ width: Math.min(width, size), height: 1 }));
  for (const [index, inner] of boxes.entries()) node.insertChild(build(yoga, inner), index);
  return node;
}

function places(node: Node): readonly unknown[] {
  const inner = Array.from({ length: node.getChildCount() }, (_, index) =>
    places(node.getChild(index)),
  );
  return [node.getComputedLayout(), inner];
}

test('yoga that loads at once lays out as the stock one does', async () => {
  const [loader] = synchronousYoga;
  assert(loader !== undefined);
  const source = patchedSource(loader, await readFile(new URL(loader.file, packages), 'utf8'));
  const { default: load } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const ours = wrapAssembly(load());
  fc.assert(
    fc.property(box(3), fc.nat(80), fc.nat(24), (made, width, height) => {
      const laidOut = [stock, ours].map((yoga: Yoga) => {
        const node = build(yoga, made);
        node.calculateLayout(width, height, stock.DIRECTION_LTR);
        const found = places(node);
        node.freeRecursive();
        return found;
      });
      expect(laidOut[1]).toEqual(laidOut[0]);
    }),
    { numRuns: 200 },
  );
});
