import { runMain } from './run-main';

void runMain();
