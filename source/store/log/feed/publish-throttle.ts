/** Lines per ms above which nobody reads along: several new ones in each picture. */
const rush = 0.5;

/** How long news of a log is held back, so that it is told at most once a frame. */
export interface PublishThrottle {
  /** ms from the first news on; twice a frame while lines rush by. */
  wait(): number;
  /** News was told of, so many lines having come ever. */
  told(received: number, now: number): void;
}

/** @param frame ms between two notifications. */
export function createPublishThrottle(frame: number): PublishThrottle {
  let last = { received: 0, now: Number.NEGATIVE_INFINITY };
  let rushes = false;
  return {
    wait: () => (rushes ? frame * 2 : frame),
    told(received, now) {
      rushes = received - last.received > (now - last.now) * rush;
      last = { received, now };
    },
  };
}
