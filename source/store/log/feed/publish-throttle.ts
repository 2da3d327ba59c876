/** Lines per millisecond above which nobody can read along: several new ones in each frame. */
const rushRate = 0.5;

/**
 * Frames between two notifications while lines rush by: every screen has only new lines then, and
 * drawing is most of what the log costs. Four screens a second take half of the processor of fifteen
 * at 1,000 lines/s, and can be read better; `lnav` draws three.
 */
const framesOfRush = 8;

/** Delays the notifications of a log, so that listeners are called once a frame, or less while lines rush by. */
export interface PublishThrottle {
  /** Milliseconds from the first unpublished change on; several frames while lines rush by. */
  delay(): number;
  /** Records a notification. @param received lines received since the start. */
  recordPublish(received: number, now: number): void;
}

/** @param frame milliseconds between two notifications. */
export function createPublishThrottle(frame: number): PublishThrottle {
  let last = { received: 0, now: Number.NEGATIVE_INFINITY };
  let isRushing = false;
  return {
    delay: () => (isRushing ? frame * framesOfRush : frame),
    recordPublish(received, now) {
      isRushing = received - last.received > (now - last.now) * rushRate;
      last = { received, now };
    },
  };
}
