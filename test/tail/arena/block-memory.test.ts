import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BlockMemory, BlockAllocator } from '../../../source/tail/arena/block-memory.ts';

function lists({ bytes, starts, ends, places, seqs, services }: BlockMemory) {
  return [bytes, starts, ends, places, seqs, services];
}

it('allocates separate memory of the requested size, also beyond the expected number of blocks', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat({ max: 4000 }),
      (byteLimit, lineLimit, most) => {
        const stock = new BlockAllocator(byteLimit, lineLimit, most);
        const blocks = Array.from({ length: 40 }, () => lists(stock.allocate())).flat();
        for (const [number, list] of blocks.entries()) list.fill(number);
        const sizes = blocks.map(({ length }, number) =>
          number % 6 === 0 ? length === byteLimit : length === lineLimit,
        );
        const isIntact = blocks.map((list, number) => list.every((one) => one === number));
        expect([sizes, isIntact].flat().every(Boolean)).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
});
