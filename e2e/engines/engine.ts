/** What the journeys need of a browser. Firefox and WebKitGTK have it by the two WebDriver protocols. */

export interface Size {
  width: number;
  height: number;
}

/** A source of input and what it does: the same in WebDriver and in WebDriver BiDi. */
export interface InputSource {
  type: 'pointer' | 'key';
  id: string;
  actions: Array<Record<string, unknown>>;
}

export interface Engine {
  /** Name and version, as the browser says them. */
  version: string;
  /** Loads an address and waits for its document. */
  open(url: string): Promise<void>;
  /** Calls a function in the page by its source: it sees its arguments, which go as JSON, and the page. */
  call(source: string, args: unknown[]): Promise<unknown>;
  input(sources: InputSource[]): Promise<void>;
  /** Of the viewport. */
  resize(size: Size): Promise<void>;
  /** Of the viewport, as a PNG. */
  screenshot(): Promise<Buffer>;
  /** Script and console errors so far. */
  errors(): string[];
  close(): Promise<void>;
}
