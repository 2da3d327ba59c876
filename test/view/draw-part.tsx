import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { Deck } from '../../source/store/deck/deck.ts';
import { DeckContext, KeysContext } from '../../source/view/parts/context.ts';

/** Renders a part of the view and returns its rows without trailing spaces. */
export function draw(deck: Deck, part: ReactNode) {
  const release = vi.fn<() => void>();
  const drawn = render(
    <DeckContext value={deck}>
      <KeysContext value={{ release }}>
        <Box width={80} height={24}>
          {part}
        </Box>
      </KeysContext>
    </DeckContext>,
  );
  return {
    release,
    rows: () => (drawn.lastFrame() ?? '').split('\n').map((row) => row.trimEnd()),
    type: (text: string) => drawn.stdin.write(text),
    unmount: () => drawn.unmount(),
  };
}
