import { array, assert, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPublishThrottle } from '../../../../source/store/log/feed/publish-throttle.ts';

describe('publish throttle', () => {
  it('delays the first change by one frame', () => {
    const throttle = createPublishThrottle(33);
    expect(throttle.wait()).toBe(33);
    throttle.told(100, 5000);
    expect(throttle.wait()).toBe(33);
    throttle.told(300, 6033);
    expect(throttle.wait()).toBe(33);
  });

  it('waits two frames while lines rush by, and one frame afterwards', () => {
    const throttle = createPublishThrottle(33);
    throttle.told(0, 0);
    throttle.told(33, 33);
    expect(throttle.wait()).toBe(66);
    throttle.told(99, 99);
    expect(throttle.wait()).toBe(66);
    throttle.told(105, 165);
    expect(throttle.wait()).toBe(33);
  });

  it('waits for one or two frames for any sequence of changes', () => {
    const news = array(tuple(nat(10_000), nat(10_000)), { maxLength: 20 });
    assert(
      property(news, (steps) => {
        const throttle = createPublishThrottle(33);
        let [received, now] = [0, 0];
        throttle.told(received, now);
        for (const [lines, passed] of steps) {
          [received, now] = [received + lines, now + passed];
          throttle.told(received, now);
          expect([33, 66]).toContain(throttle.wait());
          expect(throttle.wait() === 66).toBe(lines > passed * 0.5);
        }
      }),
    );
  });
});
