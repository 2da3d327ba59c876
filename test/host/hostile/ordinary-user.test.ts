import { describeHostileServices } from './all-tests.ts';
import { ordinaryUser } from './configurations.ts';

describeHostileServices(ordinaryUser());
