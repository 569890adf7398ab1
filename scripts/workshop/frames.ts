import type { View } from './shown';

/** One state: a test of a file, seen in one way. */
export interface Frame {
  file: string;
  /** Its place in the file. */
  test: number;
  view: View;
}

export const queryOf = ({ file, test, view }: Frame): string =>
  `?${new URLSearchParams({ file, test: String(test), ...view })}`;

export function readFrame(query: string): Frame | null {
  const { file, test, ...view } = Object.fromEntries(new URLSearchParams(query));
  return file && test ? { file, test: Number(test), view: view as unknown as View } : null;
}
