/** Bundles the programs of the tests before `npm test` runs these: several would else do it at the same time. */
import { bundledProgram } from './bundled-program.ts';

await bundledProgram('test/host/support/host-process.ts');
