import { array, assert, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PublishThrottle } from '../../../../source/store/log/feed/publishing.ts';

describe('publish throttle', () => {
  it('delays the first change by one frame', () => {
    const throttle = new PublishThrottle(33);
    expect(throttle.delay).toBe(33);
    throttle.recordPublish(100, 5000);
    expect(throttle.delay).toBe(33);
    throttle.recordPublish(300, 6033);
    expect(throttle.delay).toBe(33);
  });

  it('waits eight frames while lines rush by, and one frame afterwards', () => {
    const throttle = new PublishThrottle(33);
    throttle.recordPublish(0, 0);
    throttle.recordPublish(33, 33);
    expect(throttle.delay).toBe(264);
    throttle.recordPublish(99, 99);
    expect(throttle.delay).toBe(264);
    throttle.recordPublish(105, 363);
    expect(throttle.delay).toBe(33);
  });

  it('waits for one or eight frames for any sequence of changes', () => {
    const news = array(tuple(nat(10_000), nat(10_000)), { maxLength: 20 });
    assert(
      property(news, (steps) => {
        const throttle = new PublishThrottle(33);
        let [received, now] = [0, 0];
        throttle.recordPublish(received, now);
        for (const [lines, passed] of steps) {
          [received, now] = [received + lines, now + passed];
          throttle.recordPublish(received, now);
          expect([33, 264]).toContain(throttle.delay);
          expect(throttle.delay === 264).toBe(lines > passed * 0.5);
        }
      }),
    );
  });
});
