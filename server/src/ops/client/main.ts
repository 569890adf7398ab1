import { startOpsPage } from './ops-page';

startOpsPage();
