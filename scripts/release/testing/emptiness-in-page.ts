import { pageEmptiness } from '@platform/releases/contract';

Object.assign(globalThis, { pageEmptiness });
