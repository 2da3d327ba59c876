import { array, assert, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPublishThrottle } from '../../../../source/store/log/feed/publish-throttle.ts';

describe('the frame of a log', () => {
  it('holds what comes after silence back for one frame', () => {
    const frame = createPublishThrottle(33);
    expect(frame.wait()).toBe(33);
    frame.told(100, 5000);
    expect(frame.wait()).toBe(33);
    frame.told(300, 6033);
    expect(frame.wait()).toBe(33);
  });

  it('takes twice as long while lines rush by, and no longer', () => {
    const frame = createPublishThrottle(33);
    frame.told(0, 0);
    frame.told(33, 33);
    expect(frame.wait()).toBe(66);
    frame.told(99, 99);
    expect(frame.wait()).toBe(66);
    frame.told(105, 165);
    expect(frame.wait()).toBe(33);
  });

  it('waits for one frame or two, whatever comes when', () => {
    const news = array(tuple(nat(10_000), nat(10_000)), { maxLength: 20 });
    assert(
      property(news, (steps) => {
        const frame = createPublishThrottle(33);
        let [received, now] = [0, 0];
        frame.told(received, now);
        for (const [lines, passed] of steps) {
          [received, now] = [received + lines, now + passed];
          frame.told(received, now);
          expect([33, 66]).toContain(frame.wait());
          expect(frame.wait() === 66).toBe(lines > passed * 0.5);
        }
      }),
    );
  });
});
