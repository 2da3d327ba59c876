import { expect, test, vi } from 'vitest';
import { capYoungGeneration } from '../../source/start/gc-tuning.ts';
import { openDeck } from '../view/open-deck.ts';
import { waitFor } from '../support/wait-for.ts';

test('memory for what is new is held to its size once a log has given very many lines', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const hold = vi.fn();
  capYoungGeneration(deck, 3, hold);
  const log = () => deck.opened.getState().tail?.log.state.getState();
  await waitFor(() => expect(log()?.connection.kind).toBe('live'));
  const grow = async (received: number) => {
    foreign.append(foreign.sample, 'web', `line ${received}`);
    await waitFor(() => expect(log()?.received).toBe(received));
  };
  await grow(1);
  await grow(2);
  expect(hold).not.toHaveBeenCalled();
  await grow(3);
  await grow(4);
  expect(hold).toHaveBeenCalledOnce();
});
