/** Makes the function callable in a page of a test. */
import { pageEmptiness } from '@platform/releases/contract';

Object.assign(globalThis, { pageEmptiness });
