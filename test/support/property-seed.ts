import * as fc from 'fast-check';

/**
 * Where a build must give the same answer twice, it names the seed of all properties; elsewhere each
 * run takes another one. A failure prints its own seed either way.
 */
const seed = process.env['HOSTDECK_TEST_SEED'];

if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
