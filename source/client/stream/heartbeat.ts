/** Watches a connection for silence. */
export interface Heartbeat {
  /** Restarts the silence timer, because bytes have arrived. */
  heard(): void;
  /** Stops watching while the connection is not read. */
  pause(): void;
  resume(): void;
  stop(): void;
}

export interface HeartbeatOptions {
  /** Silence in ms after which `ping` is called. */
  readonly silence: number;
  /** Further silence in ms after which `dead` is called, once. */
  readonly patience: number;
  readonly ping: () => void;
  readonly dead: () => void;
}

/** Creates a heartbeat that starts watching at once. */
export function createHeartbeat({ silence, patience, ping, dead }: HeartbeatOptions): Heartbeat {
  let isPinged = false;
  let timer: NodeJS.Timeout | undefined;

  const wait = (): void => {
    isPinged = false;
    timer = setTimeout(() => {
      isPinged = true;
      ping();
      timer = setTimeout(dead, patience);
    }, silence);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  wait();
  return {
    heard() {
      if (timer === undefined) return;
      // Refreshing the timer is far cheaper than creating one, and a flood calls this often.
      if (!isPinged) timer.refresh();
      else {
        stop();
        wait();
      }
    },
    pause: stop,
    resume() {
      if (timer === undefined) wait();
    },
    stop,
  };
}
