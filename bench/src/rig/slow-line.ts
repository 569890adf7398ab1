import type { LineSettings } from './shaped-socket';

/** A phone on a mobile network: the line of every measurement that has one. */
export const slowLine: LineSettings = {
  roundTripMs: 150,
  downBitsPerSecond: 1_600_000,
  upBitsPerSecond: 750_000,
  initialWindow: 10,
  largestWindow: 64,
};
