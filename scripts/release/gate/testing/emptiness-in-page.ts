/** For tests: makes the function callable in a page. */
import { pageEmptiness } from '@shop/release/contract';

Object.assign(globalThis, { pageEmptiness });
