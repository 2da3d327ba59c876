import * as fc from 'fast-check';

/**
 * Property tests take the named seed, so that a build gives the same answer twice; without one, each
 * run takes another seed. A failure prints its own seed either way.
 */
const seed = process.env['HOSTDECK_TEST_SEED'];

if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
