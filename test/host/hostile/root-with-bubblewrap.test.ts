import { describeHostileServices } from './all-tests.ts';
import { rootWithBubblewrap } from './configurations.ts';

describeHostileServices(rootWithBubblewrap());
