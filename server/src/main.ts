import { runMain } from './app/run-main';

void runMain();
