/** For tests: makes the function callable in a page. */
import { pageEmptiness } from '@platform/releases/contract';

Object.assign(globalThis, { pageEmptiness });
