/**
 * Flows: what the browser gate does on a squad's pages besides opening them. Flows are data, not code: they are published with
 * the release, and the process that runs the gate (a command, /ops) runs no code of a squad outside its own pages.
 */
import type { LocalText } from './remote-contract';

export type Visitor = 'guest' | 'signed in';

export type FlowRole =
  | 'alert'
  | 'button'
  | 'checkbox'
  | 'combobox'
  | 'dialog'
  | 'heading'
  | 'link'
  | 'listitem'
  | 'option'
  | 'radio'
  | 'searchbox'
  | 'spinbutton'
  | 'switch'
  | 'tab'
  | 'textbox';

/** Each step waits for its element, 5 s at most, and uses the first match. */
export type FlowStep =
  | { press: FlowRole; name: LocalText }
  | { fill: FlowRole; name: LocalText; value: LocalText }
  | { see: FlowRole; name: LocalText }
  | { read: LocalText }
  /** Waits until the address has this path. ':id' stands for any segment. */
  | { arrive: string }
  /**
   * Waits until the page shows what the API answered: `value` in the last answer to the path `agrees`, such as
   * 'data.items.0.price', with '*' for each item of a list.
   */
  | { agrees: string; value: string; as: 'text' | 'money' };

export interface GateFlow {
  name: string;
  route: string;
  /** The address to open if the route has parameters or needs a query. Default: the route, with 1 for each parameter. */
  address?: string;
  visitor: Visitor;
  steps: readonly FlowStep[];
}
