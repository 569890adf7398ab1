import { storeFaultsSuite } from '../testing/store-faults-suite';

storeFaultsSuite('folder');
