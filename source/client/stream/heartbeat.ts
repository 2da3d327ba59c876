/** Watches a connection for silence. */
export interface Heartbeat {
  /** Restarts the silence timer, because bytes have arrived. */
  recordActivity(): void;
  /** Stops watching while the connection is not read. */
  pause(): void;
  resume(): void;
  stop(): void;
}

export interface HeartbeatOptions {
  /** Silence in ms after which `ping` is called. */
  readonly silenceTimeout: number;
  /** Further silence in ms after which `dead` is called, once. */
  readonly pongTimeout: number;
  readonly ping: () => void;
  readonly onDead: () => void;
}

/** Creates a heartbeat that starts watching at once. */
export function createHeartbeat({
  silenceTimeout,
  pongTimeout,
  ping,
  onDead,
}: HeartbeatOptions): Heartbeat {
  let isPinged = false;
  let timer: NodeJS.Timeout | undefined;

  const wait = (): void => {
    isPinged = false;
    timer = setTimeout(() => {
      isPinged = true;
      ping();
      timer = setTimeout(onDead, pongTimeout);
    }, silenceTimeout);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  wait();
  return {
    recordActivity() {
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
