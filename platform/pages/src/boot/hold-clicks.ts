/**
 * Clicks on these elements need scripts. A link works without them until React hydrates it, and so does a form that the browser submits.
 */
const controls = 'a[href], button, input[type="checkbox"], input[type="radio"]';
/** How long a replay waits for an element whose code loads later than the page's. */
const lateElementMs = 5_000;
const retryMs = 50;
/** This text is here because the shell's first script is at its size budget and few visitors see it. */
const lost = { zh: '没点上，请再点一次。', en: 'Too early: please try again.' };

/**
 * Holds clicks made before hydration, marks their elements at once (boot.css), and replays them once and in order when the shell
 * asks for it. It holds them only in a page that promises the replay (`data-early-presses`): an older shell would never replay
 * them, and the page would not react any more. A click on a part whose code loads later than the page's is held after hydration
 * too, because React would drop it. In any page the browser must not submit a form that React validates (`novalidate`): it would
 * reload the page with the form's values, a password too, in the address. An older shell submits such a form when it finds it
 * marked.
 * @param onWorking called when the shell has hydrated the page
 */
export function holdClicks(onWorking: () => void = () => {}): void {
  if (!document.documentElement.dataset.rendered) return;
  const held: HTMLElement[] = [];
  let isReplaying = false;
  /** True until hydration, and while there are clicks to replay, so that the order is kept. */
  let holdsAll = true;
  let replayAll = () => {};

  const isHandled = (control: HTMLElement) => isReplaying || (!holdsAll && isHydrated(control));
  const hold = (event: Event, control: HTMLElement) => {
    event.preventDefault();
    // A form is submitted once, however often its button was clicked.
    if (isSending(control as HTMLButtonElement) && held.indexOf(control) >= 0) return;
    held.push(control);
    markedElement(control).dataset.held = '';
    if (!holdsAll) replayAll();
  };
  const release = (control: HTMLElement) => {
    if (held.indexOf(control) < 0) delete markedElement(control).dataset.held;
  };
  const drop = () => held.splice(0).forEach(release);

  const onClick = (event: MouseEvent) => {
    const control = (event.target as Element).closest<HTMLButtonElement>(controls);
    if (!control || isHandled(control) || !control.closest('[data-early-presses]') || worksByItself(control, event)) {
      return;
    }
    event.stopImmediatePropagation();
    hold(event, control);
  };
  const onSubmit = (event: Event) => {
    const form = event.target as HTMLFormElement;
    // React's handler runs first.
    if (!event.defaultPrevented && form.noValidate && !isHandled(form)) hold(event, form);
  };
  window.addEventListener('click', onClick, true);
  document.addEventListener('submit', onSubmit);
  // The browser may show this page again from the back/forward cache, where held clicks must not remain.
  window.addEventListener('pagehide', drop);

  (window as ClickReplay).carryOutPresses = (notify) => {
    onWorking();
    replayAll = () => {
      holdsAll = true;
      const { pathname } = location;
      let retriesLeft = lateElementMs / retryMs;
      let isAnyLost = false;
      const next = () => {
        // An earlier click has led to another page, so the remaining clicks are obsolete.
        if (location.pathname !== pathname) drop();
        const control = held[0];
        if (!control) {
          holdsAll = false;
          if (isAnyLost) notify(document.documentElement.lang === 'en' ? lost.en : lost.zh);
          return;
        }
        if (control.isConnected && !isHydrated(control) && retriesLeft > 0) {
          retriesLeft -= 1;
          setTimeout(next, retryMs);
          return;
        }
        // The next click must wait until React has rendered the effect of this one.
        setTimeout(next, 0);
        held.shift();
        release(control);
        if (!control.isConnected || !isHydrated(control) || control.matches(':disabled')) {
          isAnyLost = true;
          return;
        }
        isReplaying = true;
        if (control instanceof HTMLFormElement) control.requestSubmit();
        else control.click();
        isReplaying = false;
      };
      setTimeout(next, 0);
    };
    replayAll();
  };
}

/** The shell calls it after hydration (shell/src/main.tsx). */
interface ClickReplay {
  carryOutPresses?: (notify: (lost: string) => void) => void;
}

const isSending = ({ tagName, type, form }: HTMLButtonElement) => tagName === 'FORM' || (type === 'submit' && !!form);

/**
 * Whether the browser handles the click itself. A click on a link that React hydrates would otherwise wait for the whole
 * hydration before the link is marked. The browser opens other tabs and sites in any case.
 */
const worksByItself = (control: HTMLButtonElement, { ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => {
  if (control.tagName !== 'A') return isSending(control) && !control.form?.noValidate;
  const { target, origin } = control as HTMLElement as HTMLAnchorElement;
  return !isHydrated(control) || ctrlKey || metaKey || shiftKey || altKey || target || origin !== location.origin;
};

/** The control of a label may be invisible, so the label is marked. */
const markedElement = (control: HTMLElement): HTMLElement => (control as HTMLInputElement).labels?.[0] || control;

/** React keeps properties on each element that it has hydrated. */
const isHydrated = (control: HTMLElement) => Object.keys(control).some((key) => key.indexOf('__react') === 0);
