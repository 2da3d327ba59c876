import { expect, test } from 'vitest';
import { Row } from '../../../source/view/parts/row.tsx';
import { useMainStatus } from '../../../source/view/shell/use-main-status.ts';
import { settled } from '../../support/clock.ts';
import { waitFor } from '../../support/wait-for.ts';
import { draw } from '../draw-part.tsx';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';

function Status() {
  return <Row line={useMainStatus({ left: 0, top: 0, width: 80, height: 10 })} width={80} />;
}

test('the number of lines beside the title of the patterns follows them on a quiet log', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  foreign.append(foreign.sample, 'web', 'paid 7');
  press(deck, '4');
  const { tail } = deck.opened.getState();
  await waitFor(() => expect(tail?.patterns.state.getState().lines).toBeGreaterThan(0));
  press(deck, '%');
  const status = draw(deck, <Status />);
  const counted = tail?.patterns.state;
  counted?.setState({ ...counted.getState(), lines: 4711 });
  // Sooner than the rate of the log has it drawn again.
  await settled();
  expect(status.rows()[0]).toMatch(/^4,711 lines/);
  status.unmount();
});
