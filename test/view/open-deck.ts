import { createClient } from '../../source/client/client.ts';
import { systemClock } from '../support/system-clock.ts';
import { temporaryKept } from '../support/temporary-state.ts';
import { createDeck } from '../../source/store/deck/create-deck.ts';
import type { Deck } from '../../source/store/deck/deck.ts';
import { createWriteAccess } from '../../source/store/deck/write-access.ts';
import { createScreenStore } from '../../source/store/deck/screen/screen.ts';
import { type Foreign, type ForeignOptions, startForeign } from '../servers/foreign.ts';
import { waitFor } from '../support/wait-for.ts';

/** A deck on a foreign service, over real sockets. */
export interface OpenDeck extends AsyncDisposable {
  readonly foreign: Foreign;
  readonly deck: Deck;
}

/** Starts service and deck; resolves when the lists have loaded and the sample's log is connected. */
export async function openDeck(
  options: Partial<ForeignOptions> = {},
  prepare: (foreign: Foreign) => Promise<void> | void = () => {},
  settings: Partial<
    Pick<
      Parameters<typeof createDeck>[0],
      | 'connection'
      | 'restartDelay'
      | 'owed'
      | 'kept'
      | 'clock'
      | 'openAtStart'
      | 'opensUnlisted'
      | 'logMemory'
    >
  > & {
    /** Starts a proxy before the service and returns its base URL. */
    readonly through?: (baseUrl: string) => Promise<string>;
  } = {},
): Promise<OpenDeck> {
  const foreign = await startForeign(options);
  await prepare(foreign);
  const { through = async (direct: string) => direct, ...others } = settings;
  const baseUrl = await through(foreign.baseUrl);
  const profile = {
    name: 'test',
    production: false,
    host: new URL(baseUrl).host,
    wallet: foreign.wallet,
  };
  const access = createWriteAccess(profile);
  const client = createClient({
    baseUrl,
    token: foreign.token,
    writeRefusal: () => access.refusal(),
  });
  const deck = createDeck({
    client,
    profile,
    access,
    clock: systemClock,
    random: () => 0,
    screen: createScreenStore(),
    openAtStart: undefined,
    onOpen() {},
    kept: temporaryKept(),
    ...others,
  });
  deck.start();
  await waitFor(() => {
    const lists = [deck.deployments.list, deck.files.list, deck.grants.list];
    if (lists.some(({ state }) => state.getState().loadedAt === undefined)) {
      throw new Error('the lists are not there yet');
    }
    // Lines that a test appends then arrive over the stream, after all existing ones.
    const log = deck.opened.getState().tail?.log.state.getState();
    if (log !== undefined && (!log.ready || log.connection.kind === 'connecting')) {
      throw new Error('the log is not there yet');
    }
  });
  return {
    foreign,
    deck,
    async [Symbol.asyncDispose]() {
      deck.stop();
      await client.close();
      await foreign.close();
    },
  };
}
