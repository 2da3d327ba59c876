/** Watches a connection for silence. */
export interface Heartbeat {
  /** Bytes have arrived. */
  heard(): void;
  /** Stops watching: nobody reads, so silence says nothing. */
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

/** Starts watching at once. */
export function createHeartbeat({ silence, patience, ping, dead }: HeartbeatOptions): Heartbeat {
  let pinged = false;
  let timer: NodeJS.Timeout | undefined;

  const wait = (): void => {
    pinged = false;
    timer = setTimeout(() => {
      pinged = true;
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
      // Restarting the running timer is far cheaper than making one, and a flood comes here often.
      if (!pinged) timer.refresh();
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
