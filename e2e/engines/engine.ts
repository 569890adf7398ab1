export interface Size {
  width: number;
  height: number;
}

/** An input source and its actions, equal in WebDriver and WebDriver BiDi. */
export interface InputSource {
  type: 'pointer' | 'key';
  id: string;
  actions: Array<Record<string, unknown>>;
}

export interface Engine {
  /** Name and version, as the browser reports them. */
  version: string;
  open(url: string): Promise<void>;
  /** Calls a function in the page by its source. It sees only its arguments, which are sent as JSON, and the page. */
  call(source: string, args: unknown[]): Promise<unknown>;
  input(sources: InputSource[]): Promise<void>;
  resize(size: Size): Promise<void>;
  screenshot(): Promise<Buffer>;
  errors(): string[];
  close(): Promise<void>;
}
