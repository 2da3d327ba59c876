import { expect, test } from 'vitest';
import { RoundTrip } from '../../../source/terminal/link/round-trip.ts';

test('the shortest round trip is forgotten after 15 to 30 s', () => {
  const trip = new RoundTrip();
  trip.add(20, 100, 20_000);
  trip.add(50, 100, 34_000);
  expect(trip.shortest).toBe(20);
  trip.add(50, 100, 36_000);
  expect(trip.shortest).toBe(20);
  trip.add(60, 100, 52_000);
  expect(trip.shortest).toBe(50);
});

test('the transfer time of a large write does not count as a queue', () => {
  const trip = new RoundTrip();
  trip.add(150, 200, 0);
  expect(trip.queue(190, 1000, 20)).toBe(0);
  expect(trip.queue(190, 200, 20)).toBe(40);
});
