/** What a press leads to needs scripts; a link does not before React has it, nor does a form that the browser sends itself. */
const controls = 'a[href], button, input[type="checkbox"], input[type="radio"]';
/** For controls in a part whose code comes later than the page's. */
const patienceMs = 5_000;
const lookAgainMs = 50;
/** Here, because the shell's first script is at its budget and few visitors see it. */
const lost = { zh: '没点上，请再点一次。', en: 'Too early: please press again.' };

/**
 * Holds what is pressed before the scripts run, marked at once (boot.css), until the shell has it carried out: once, in order. Only in
 * a page that says it will (`data-early-presses`): an older shell never would, and the page would not answer any more. A press on a
 * part whose code comes later than the page's is held when the page works, too: React would drop it.
 * A form that React checks (`novalidate`) is not sent in any page: the browser would load it again, with what was typed, a password
 * too, in its address. An older shell sends it when it finds it marked.
 * @param onWorking called when the shell has taken the page over
 */
export function holdPresses(onWorking: () => void = () => {}): void {
  if (!document.documentElement.dataset.rendered) return;
  const held: HTMLElement[] = [];
  let isCarryingOut = false;
  /** Until the page works and while there are presses to carry out, in order. */
  let holdsAll = true;
  let carryOutAll = () => {};

  const isAnswered = (control: HTMLElement) => isCarryingOut || (!holdsAll && isReacts(control));
  const hold = (event: Event, control: HTMLElement) => {
    event.preventDefault();
    // A form is sent once, however often that was pressed.
    if (isSending(control as HTMLButtonElement) && held.indexOf(control) >= 0) return;
    held.push(control);
    marked(control).dataset.held = '';
    if (!holdsAll) carryOutAll();
  };
  const release = (control: HTMLElement) => {
    if (held.indexOf(control) < 0) delete marked(control).dataset.held;
  };
  const drop = () => held.splice(0).forEach(release);

  const onClick = (event: MouseEvent) => {
    const control = (event.target as Element).closest<HTMLButtonElement>(controls);
    if (!control || isAnswered(control) || !control.closest('[data-early-presses]') || worksByItself(control, event)) {
      return;
    }
    event.stopImmediatePropagation();
    hold(event, control);
  };
  const onSubmit = (event: Event) => {
    const form = event.target as HTMLFormElement;
    // React's handler comes first.
    if (!event.defaultPrevented && form.noValidate && !isAnswered(form)) hold(event, form);
  };
  window.addEventListener('click', onClick, true);
  document.addEventListener('submit', onSubmit);
  // To another page, from which this one may be shown again as it was left.
  window.addEventListener('pagehide', drop);

  (window as EarlyPresses).carryOutPresses = (notify) => {
    onWorking();
    let pathname: string;
    let looksLeft: number;
    let isAnyLost: boolean;
    const next = () => {
      // A press has led to another page: the others were for this one.
      if (location.pathname !== pathname) drop();
      const control = held[0];
      if (!control) {
        holdsAll = false;
        if (isAnyLost) notify(document.documentElement.lang === 'en' ? lost.en : lost.zh);
        return;
      }
      if (control.isConnected && !isReacts(control) && looksLeft > 0) {
        looksLeft -= 1;
        setTimeout(next, lookAgainMs);
        return;
      }
      // The next one when React has rendered what this one changes.
      setTimeout(next, 0);
      held.shift();
      release(control);
      if (!control.isConnected || !isReacts(control) || control.matches(':disabled')) {
        isAnyLost = true;
        return;
      }
      isCarryingOut = true;
      if (control instanceof HTMLFormElement) control.requestSubmit();
      else control.click();
      isCarryingOut = false;
    };
    carryOutAll = () => {
      holdsAll = true;
      ({ pathname } = location);
      looksLeft = patienceMs / lookAgainMs;
      isAnyLost = false;
      setTimeout(next, 0);
    };
    carryOutAll();
  };
}

/** What the shell calls when its page works (platform/host/src/early-presses.ts). */
interface EarlyPresses {
  carryOutPresses?: (notify: (lost: string) => void) => void;
}

const isSending = ({ tagName, type, form }: HTMLButtonElement) => tagName === 'FORM' || (type === 'submit' && !!form);

/**
 * A link that React is taking over would have to wait for all of that before it is marked. It opens another tab or site by the
 * browser all the same.
 */
const worksByItself = (control: HTMLButtonElement, { ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => {
  if (control.tagName !== 'A') return isSending(control) && !control.form?.noValidate;
  const { target, origin } = control as HTMLElement as HTMLAnchorElement;
  return !isReacts(control) || ctrlKey || metaKey || shiftKey || altKey || target || origin !== location.origin;
};

/** The control of a label may be hidden. */
const marked = (control: HTMLElement): HTMLElement => (control as HTMLInputElement).labels?.[0] || control;

/** React keeps its own on each element that it has taken over. */
const isReacts = (control: HTMLElement) => Object.keys(control).some((key) => key.indexOf('__react') === 0);
