import { describeHostileServices } from './all-tests.ts';
import { rootWithoutBubblewrap } from './configurations.ts';

describeHostileServices(rootWithoutBubblewrap());
