import * as fc from 'fast-check';

/** Examples of a property that names no number: each change tries others. */
const numRuns = 50;

/**
 * Property tests take the named seed, so that a build gives the same answer twice; without one, each
 * run takes another seed. A failure prints its own seed either way.
 */
const seed = process.env['HOSTDECK_TEST_SEED'];

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
