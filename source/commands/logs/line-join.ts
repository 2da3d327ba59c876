/** Joins the lines of several logs into one order, by their times. Pure. */

/** Lines that are ready to be written, of several members in the order of each. */
export interface LineJoin {
  /** Adds a line behind the others of its member; a line without a time belongs to the one before. */
  add(member: number, time: number | undefined, text: string): void;
  /** Returns whether no line of a member waits. */
  isEmpty(member: number): boolean;
  /**
   * Removes and returns the lines that may be written, oldest first: until a member has no more,
   * unless nothing is expected of it.
   * @param isQuiet whether a member without lines is not waited for.
   */
  take(isQuiet: (member: number) => boolean): readonly string[];
}

interface TimedText {
  readonly time: number;
  readonly text: string;
}

interface Queue {
  readonly lines: TimedText[];
  /** Index of the first line that waits. */
  next: number;
  lastTime: number;
}

export function createLineJoin(members: number): LineJoin {
  const queues = Array.from(
    { length: members },
    (): Queue => ({ lines: [], next: 0, lastTime: Number.NEGATIVE_INFINITY }),
  );
  const first = ({ lines, next }: Queue): TimedText | undefined => lines[next];

  /** Returns the queue whose first line is the oldest; the earlier member comes first. */
  const oldest = (): Queue | undefined => {
    let found: Queue | undefined;
    for (const queue of queues) {
      const line = first(queue);
      const best = found && first(found);
      if (line !== undefined && (best === undefined || line.time < best.time)) found = queue;
    }
    return found;
  };

  return {
    add(member, time, text) {
      const queue = queues[member];
      if (queue === undefined) return;
      // A line that is out of order in its own log does not overtake the lines before it.
      queue.lastTime = Math.max(queue.lastTime, time ?? queue.lastTime);
      queue.lines.push({ time: queue.lastTime, text });
    },
    isEmpty: (member) => queues[member] === undefined || first(queues[member]) === undefined,
    take(isQuiet) {
      const taken: string[] = [];
      const isBlocked = () =>
        queues.some((queue, member) => first(queue) === undefined && !isQuiet(member));
      while (!isBlocked()) {
        const queue = oldest();
        const line = queue && first(queue);
        if (queue === undefined || line === undefined) break;
        taken.push(line.text);
        queue.next += 1;
        if (queue.next === queue.lines.length) {
          queue.lines.length = 0;
          queue.next = 0;
        }
      }
      return taken;
    },
  };
}
