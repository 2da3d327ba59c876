import { momentText } from '../../../source/store/log/times.ts';
import { describe, expect, it, vi } from 'vitest';
import type { LogConnectionState } from '../../../source/store/log/feed/connection.ts';
import { positionText } from '../../../source/view/log/position.ts';
import { logStatus, readerStatus } from '../../../source/view/log/title.ts';
import { mainPaneTitle } from '../../../source/view/shell/pane-title.ts';
import { asciiGlyphs } from '../../../source/view/text/glyphs.ts';
import { failure } from '../../servers/log-model.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';

const error = failure('disconnected');
const now = Date.UTC(2026, 0, 1);

describe('the state of the log in row 1', () => {
  it.each<[LogConnectionState, string]>([
    [{ kind: 'connecting', error: undefined }, 'log connecting'],
    [{ kind: 'connecting', error }, 'log reconnecting'],
    [{ kind: 'retrying', at: now + 2500, error }, 'log lost, retry 3s'],
    [{ kind: 'retrying', at: now - 10, error }, 'log reconnecting'],
    [{ kind: 'polling', error }, 'no stream, polling log'],
    [{ kind: 'stopped', error: undefined }, 'log stopped'],
    [{ kind: 'live' }, 'live 0/s'],
  ])('of %j is %s', async (connection, text) => {
    await using open = await openDeck();
    const { tail } = open.deck.opened.getState();
    tail?.log.stop();
    tail?.log.state.setState({ connection, rate: 0, others: 0 });
    expect(logStatus(open.deck, now, asciiGlyphs.bars)?.text).toBe(text);
  });

  it('counts the messages that nobody can read, and those of other types', async () => {
    await using open = await openDeck();
    const { deck } = open;
    const { tail } = deck.opened.getState();
    tail?.log.stop();
    tail?.log.state.setState({
      connection: { kind: 'live' },
      rate: 0,
      unreadable: 1200,
      others: 0,
    });
    expect(logStatus(deck, now, asciiGlyphs.bars)).toMatchObject({
      text: '1,200 unreadable, live 0/s',
      token: 'busy',
    });
    tail?.log.state.setState({ unreadable: 0, others: 3 });
    expect(logStatus(deck, now, asciiGlyphs.bars)).toMatchObject({
      text: 'live 0/s, 3 other',
      token: 'good',
    });
  });

  it('says since when nothing is answered, also before a request fails', async () => {
    await using open = await openDeck();
    const { deck } = open;
    const { tail } = deck.opened.getState();
    tail?.log.stop();
    tail?.log.state.setState({ connection: { kind: 'live' }, rate: 0, others: 0 });
    const silent = vi.spyOn(deck.refresh, 'silentSince').mockReturnValue(now);
    const text = (at: number) => logStatus(deck, at, asciiGlyphs.bars)?.text;
    const stopped = `stopped ${momentText(now, now, false)}`;
    expect(text(now + 4000)).toBe('live 0/s');
    expect(text(now + 5000)).toBe(stopped);
    silent.mockReturnValue(undefined);
    const away = { kind: 'away', since: now, nextTry: now + 9000, error } as const;
    deck.refresh.reach.setState(away, true);
    expect(text(now + 5000)).toBe(stopped);
    tail?.log.state.setState({ connection: { kind: 'retrying', at: now + 8000, error } });
    expect(text(now + 5000)).toBe(stopped);
    // Lines still arrive, so only the other requests are unanswered.
    tail?.log.state.setState({ connection: { kind: 'live' }, rate: 3, others: 0 });
    expect(text(now + 5000)).toBe('live 3/s');
  });

  it('shows the time of the last line and draws the rate', async () => {
    await using open = await openDeck();
    const { deck } = open;
    const tail = deck.opened.getState().tail;
    tail?.log.stop();
    tail?.log.state.setState({ connection: { kind: 'live' }, rate: 0, others: 0 });
    tail?.reading.rates.sample(now, 0);
    tail?.reading.rates.sample(now + 1000, 10);
    const bars = `${' '.repeat(19)}#`;
    expect(logStatus(deck, now + 1000, asciiGlyphs.bars)).toMatchObject({ bars });
    const quiet = logStatus(deck, now + 301_000, asciiGlyphs.bars);
    expect(quiet?.text).toBe(`live 0/s since ${momentText(now + 1000, now, false)}`);
  });
});

describe('the reader state above the keys', () => {
  it('shows another day and the horizontal scroll', async () => {
    await using open = await openDeck({ now: () => Date.now() - 3 * 86_400_000 });
    const { deck, foreign } = open;
    foreign.append(foreign.sample, 'web', 'some days ago');
    await waitFor(() => {
      expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0);
    });
    setScreen(deck.screen, { focus: 'main', times: 'time-utc' });
    expect(positionText(deck)).toBe('');
    press(deck, 'k');
    expect(positionText(deck)).toBe('');
    expect(mainPaneTitle(deck, false)).toMatch(/^4 Logs \S+$/);
    expect(readerStatus(deck, Date.now(), '')?.text).toBe('PAUSED');
    vi.spyOn(deck.clock, 'serviceNow').mockReturnValue(Date.now());
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    expect(positionText(deck)).toBe(`Lines of ${day}.`);
    setScreen(deck.screen, { times: 'full' });
    expect(positionText(deck)).toBe('');
    press(deck, 'right', 'G');
    expect(positionText(deck)).toBe('Scrolled right by 8. 0 scrolls back.');
    press(deck, 'left');
    expect(positionText(deck)).toBe('');
  });

  it('is empty while another pane is focused, and the title still shows the pause', async () => {
    await using open = await openDeck();
    const { deck, foreign } = open;
    foreign.append(foreign.sample, 'web', 'one');
    await waitFor(() => {
      expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0);
    });
    const status = () => readerStatus(deck, Date.now(), '')?.text;
    press(deck, '4', 'k', 'right', '1');
    expect(positionText(deck)).toBe('');
    expect(status()).toBe('PAUSED');
    press(deck, '4', 'G', '1');
    expect(status()).not.toContain('PAUSED');
  });
});
