import { describe, expect, it } from 'vitest';
import { failure } from '../../servers/log-model.ts';
import {
  ahead,
  begin,
  createProofWorld,
  deployment,
  healthy,
  iso,
  judgementOf,
} from './proof-world.ts';

const minute = 60_000;

describe('the proof of a restart', () => {
  it('counts down, and compares the run with the time before by the clock of the service', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof, states } = world.prove();
    await world.pass(30, healthy);
    expect(states.slice(0, 2)).toEqual([
      { kind: 'proving', left: 29 },
      { kind: 'proving', left: 28 },
    ]);
    await world.pass(2);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unchanged',
      figures: { usual: { perMinute: 0, of: 'before' }, errorsPerMinute: 0 },
    });
    expect(world.model.streams).toBe(0);
    proof.stop();
  });

  it('is worse with errors that were not written before', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof } = world.prove();
    await world.pass(32, (second) => [...healthy(second), 'ERROR cannot read prices']);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'worse',
      figures: {
        service: 'web',
        errorsPerMinute: 60,
        freshErrors: 30,
        usual: { perMinute: 0, of: 'before' },
        crashes: 0,
      },
    });
    proof.stop();
  });

  it('is unchanged with the errors that the start before wrote, too', async () => {
    const world = createProofWorld();
    const cold = (second: number) => (second < 8 ? ['ERROR cache is cold'] : healthy(second));
    await world.pass(120, cold);
    const { proof } = world.prove();
    await world.pass(32, cold);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unchanged',
      figures: { errorsPerMinute: 16, usual: { perMinute: 16, of: 'start' } },
    });
    proof.stop();
  });

  it('counts no error of the history in a log that tells no times', async () => {
    const world = createProofWorld();
    for (let line = 0; line < 60; line += 1)
      world.model.write({ logLine: 'ERROR queue is full', timestamp: undefined });
    await world.pass(10);
    const { proof } = world.prove();
    for (let second = 0; second < 32; second += 1) {
      world.model.write({ logLine: 'served', timestamp: undefined });
      await world.pass(1);
    }
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unchanged',
      figures: { errorsPerMinute: 0 },
    });
    proof.stop();
  });

  it('does not count a storm of the version before against the one that ends it', async () => {
    const world = createProofWorld();
    const storm = (second: number) => [...healthy(second), 'ERROR queue is full'];
    await world.pass(120, storm);
    const { proof } = world.prove();
    await world.pass(3, storm);
    await world.pass(29, healthy);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unchanged',
      figures: { errorsPerMinute: 0, usual: { perMinute: 60 } },
    });
    proof.stop();
  });

  it('is worse at the first crash, and counts those of the next ten minutes', async () => {
    const world = createProofWorld();
    await world.pass(60, healthy);
    const { proof, states } = world.prove();
    await world.pass(2, healthy);
    const started = { startedAt: iso(world.now()) };
    const restarted = { restartedAt: iso(world.now()) };
    proof.observe(deployment(started, restarted));
    expect(proof.state().kind).toBe('proving');
    proof.observe(deployment({ ...started, restarts: 1, exitCode: 1 }, restarted));
    expect(judgementOf(proof)).toMatchObject({ verdict: 'worse', figures: { crashes: 1 } });
    await world.pass(300);
    proof.observe(deployment({ ...started, restarts: 3, exitCode: 1 }, restarted));
    expect(judgementOf(proof)).toMatchObject({ verdict: 'worse', figures: { crashes: 3 } });
    await world.pass(400);
    expect(states.at(-1)).toMatchObject({ kind: 'judged', isWatched: false });
    proof.observe(deployment({ ...started, restarts: 9, exitCode: 1 }, restarted));
    expect(judgementOf(proof)?.figures.crashes).toBe(3);
  });

  it('counts the errors of the second in which it crashed', async () => {
    const world = createProofWorld();
    await world.pass(60, healthy);
    const { proof } = world.prove();
    await world.pass(1, healthy);
    await world.clock.advance(300);
    world.write('FATAL no port in config/app.yaml');
    await world.clock.advance(300);
    const restarted = { restartedAt: iso(world.now()) };
    proof.observe(deployment({ startedAt: iso(world.now()), restarts: 1, exitCode: 1 }, restarted));
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'worse',
      figures: { crashes: 1, service: 'web', errorsPerMinute: 30 },
    });
    proof.stop();
  });

  it('leaves no timer behind when it is stopped by its verdict', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const before = world.clock.waiting().length;
    const { proof } = world.prove({}, () => proof.stop());
    await world.pass(32, healthy);
    expect(proof.state().kind).toBe('judged');
    expect(world.clock.waiting()).toHaveLength(before);
  });

  it('turns worse when it crashes after the verdict', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof } = world.prove();
    const started = { startedAt: iso(world.now()) };
    const restarted = { restartedAt: iso(world.now()) };
    await world.pass(32, healthy);
    proof.observe(deployment(started, restarted));
    expect(judgementOf(proof)?.verdict).toBe('unchanged');
    proof.observe(deployment({ ...started, restarts: 1, exitCode: 137 }, restarted));
    expect(judgementOf(proof)).toMatchObject({ verdict: 'worse', figures: { crashes: 1 } });
    proof.stop();
  });

  it('is worse as soon as the service undoes the restart, and says why', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const earlier = { at: iso(world.now() - minute), reason: 'an earlier one' };
    const { proof } = world.prove({ before: deployment({}, { rolledBack: earlier }) });
    const restarted = { state: 'restarting', restartedAt: iso(world.now()) };
    await world.pass(2, healthy);
    proof.observe(deployment({}, { ...restarted, rolledBack: earlier }));
    expect(proof.state().kind).toBe('proving');
    const rolledBack = { at: iso(world.now()), reason: 'web exited 1' };
    proof.observe(deployment({}, { ...restarted, state: 'active', rolledBack }));
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'worse',
      figures: { rolledBack: 'web exited 1' },
    });
    proof.stop();
  });

  it('turns worse when the service undoes the restart after the verdict', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof } = world.prove();
    const restarted = { state: 'starting', restartedAt: iso(world.now()) };
    proof.observe(deployment({}, restarted));
    await world.pass(32, healthy);
    expect(judgementOf(proof)?.reason).toBe('still starting');
    const rolledBack = { at: iso(world.now()), reason: 'web got no node' };
    proof.observe(deployment({}, { ...restarted, state: 'active', rolledBack }));
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'worse',
      figures: { rolledBack: 'web got no node' },
    });
    proof.stop();
  });

  it('is unclear when somebody restarts it again', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof } = world.prove();
    await world.pass(5, healthy);
    proof.observe(deployment({ startedAt: iso(1) }, { state: 'active', restartedAt: iso(1) }));
    await world.pass(5, healthy);
    expect(proof.state().kind).toBe('proving');
    proof.observe(deployment({ startedAt: iso(2) }, { state: 'active', restartedAt: iso(2) }));
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unclear',
      reason: 'restarted again',
    });
    expect(world.model.streams).toBe(0);
  });

  it('is unclear where the service tells a restart of much later, as to a proof that is resumed', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof } = world.prove();
    const at = iso(world.now() + 2 * minute);
    await world.pass(5, healthy);
    proof.observe(deployment({ startedAt: at }, { state: 'active', restartedAt: at }));
    expect(judgementOf(proof)).toMatchObject({ verdict: 'unclear', reason: 'restarted again' });
  });

  it('is unclear while it is still starting', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof } = world.prove();
    proof.observe(deployment({ state: 'starting' }, { state: 'starting', restartedAt: iso(1) }));
    await world.pass(32);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unclear',
      reason: 'still starting',
    });
    proof.stop();
  });

  it('tells why it is unclear where the log cannot be read', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    world.model.httpFails = failure('forbidden', 403);
    world.model.streamFails = failure('forbidden', 403);
    const { proof } = world.prove();
    await world.pass(45);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unclear',
      reason: expect.stringContaining('It failed: forbidden'),
    });
    proof.stop();
  });

  it('reads the lines that a cut stream has left out', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof } = world.prove();
    await world.pass(10, healthy);
    world.model.cut();
    await world.pass(20, (second) => [...healthy(second), 'ERROR cannot read prices']);
    await world.pass(10);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'worse',
      figures: { errorsPerMinute: 40 },
    });
    proof.stop();
  });

  it('reads a few pages of a busy log only', async () => {
    const world = createProofWorld();
    const many = (second: number) =>
      Array.from({ length: 100 }, (_, at) => `GET /${second}/${at} 200`);
    await world.pass(200, many);
    const before = world.model.queries.length;
    const { proof } = world.prove();
    await world.pass(32, many);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unchanged',
      figures: { usual: { of: 'before' } },
    });
    const older = world.model.queries.slice(before).filter(({ offset = 0 }) => offset > 0);
    expect(older.length).toBeLessThan(20);
    proof.stop();
  });
});

describe('the proof of a restart that takes longer than the proof', () => {
  /** A rollout whose version before goes on for a minute. */
  async function rollOut() {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const proving = world.prove();
    const restarted = { restartedAt: iso(world.now()) };
    const observe = (state: string, more = {}) => {
      proving.proof.observe(
        deployment({ startedAt: iso(begin + ahead) }, { ...restarted, state, ...more }),
      );
    };
    observe('restarting');
    await world.pass(32, healthy);
    return { world, ...proving, observe };
  }

  it('waits for the end of the rollout, and judges what the new version writes from its start', async () => {
    const { world, proof, states, observe } = await rollOut();
    expect(proof.state()).toEqual({ kind: 'proving', left: undefined });
    await world.pass(28, healthy);
    observe('restarting');
    world.start();
    await world.pass(3, healthy);
    expect(states.at(-1)).toEqual({ kind: 'proving', left: undefined });
    observe('active');
    await world.pass(26, (second) => [...healthy(second), 'ERROR cannot read prices']);
    expect(states.at(-1)).toMatchObject({ kind: 'proving', left: 1 });
    await world.pass(4);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'worse',
      figures: { errorsPerMinute: 52 },
    });
    proof.stop();
  });

  it('leaves out errors of the version before, until its last instance has stopped', async () => {
    const world = createProofWorld();
    await world.pass(120, healthy);
    const { proof, states } = world.prove();
    const failing = (second: number) => [...healthy(second), 'ERROR cannot read prices'];
    const restarted = { restartedAt: iso(world.now()) };
    const observe = (state: string) => proof.observe(deployment({}, { ...restarted, state }));
    await world.pass(2, failing);
    world.start();
    for (let second = 2; second < 14; second += 1) {
      observe('restarting');
      await world.pass(1, failing);
    }
    expect(states.at(-1)).toEqual({ kind: 'proving', left: undefined });
    world.start();
    await world.pass(2, failing);
    observe('restarting');
    await world.pass(1, failing);
    observe('active');
    await world.pass(8, failing);
    world.stop();
    await world.pass(18, healthy);
    expect(proof.state()).toEqual({ kind: 'proving', left: 1 });
    await world.pass(3, healthy);
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unchanged',
      figures: { errorsPerMinute: 0 },
    });
    proof.stop();
  });

  it('is compared with the rollout before, whose replaced instances ran on for some seconds', async () => {
    const world = createProofWorld();
    const cold = (second: number) => (second < 12 ? ['ERROR cache is cold'] : []);
    const starting = (second: number) => [...healthy(second), ...cold(second)];
    /** A trial, then the instance that replaces the one before; returns the time of its start. */
    const replace = async (onSecond = () => {}): Promise<number> => {
      await world.pass(2, healthy);
      world.start();
      for (let second = 0; second < 12; second += 1) {
        onSecond();
        await world.pass(1, healthy);
      }
      world.start();
      const startedAt = world.now();
      await world.pass(1, starting);
      world.stop();
      return startedAt;
    };
    await world.pass(120, healthy);
    const startedAt = iso(await replace());
    await world.pass(29, (second) => starting(second + 1));
    await world.pass(600, healthy);

    const before = deployment({ startedAt, state: 'active' }, { restartedAt: startedAt });
    const { proof } = world.prove({ before });
    const restartedAt = iso(world.now());
    const observe = (state: string) => proof.observe(deployment({}, { restartedAt, state }));
    await replace(() => observe('restarting'));
    observe('active');
    await world.pass(31, (second) => starting(second + 1));
    expect(judgementOf(proof)).toMatchObject({
      verdict: 'unchanged',
      figures: { usual: { of: 'start' } },
    });
    proof.stop();
  });

  it('has a whole proof after the rollout where nothing tells a start', async () => {
    const { world, proof, observe } = await rollOut();
    observe('active');
    await world.pass(28, healthy);
    expect(proof.state().kind).toBe('proving');
    await world.pass(5, healthy);
    expect(judgementOf(proof)).toMatchObject({ verdict: 'unchanged' });
    proof.stop();
  });

  it('is worse at once when the service undoes the rollout', async () => {
    const { world, proof, observe } = await rollOut();
    observe('active', { rolledBack: { at: iso(world.now()), reason: 'web got no node' } });
    expect(judgementOf(proof)).toMatchObject({ verdict: 'worse' });
    proof.stop();
  });

  it('is unclear when the rollout never ends', async () => {
    const { world, proof, observe } = await rollOut();
    for (let minutes = 0; minutes < 21; minutes += 1) {
      observe('restarting');
      await world.pass(60);
    }
    expect(judgementOf(proof)).toMatchObject({ reason: 'still starting' });
    proof.stop();
  });
});
