/** @jest-environment jsdom */
import { holdClicks } from './hold-clicks';

const notify = jest.fn();
let handled: string[];
/** Listeners outlive the page that they belong to, and a test opens one or two pages. */
const listening = [window, document].map((target) => jest.spyOn(target, 'addEventListener'));

beforeAll(() => {
  document.documentElement.dataset.rendered = 'a page';
});
beforeEach(() => {
  jest.useFakeTimers();
  notify.mockClear();
  handled = [];
});
afterEach(() => {
  close();
  jest.useRealTimers();
  window.history.replaceState(null, '', '/');
});

const find = (id: string) => document.getElementById(id) as HTMLElement;
const click = (...ids: string[]) => {
  for (const id of ids) find(id).click();
};
const heldIds = () => [...document.querySelectorAll('[data-held]')].map(({ id }) => id);

function close(): void {
  for (const { mock } of listening)
    for (const [index, args] of mock.calls.entries()) mock.contexts[index].removeEventListener(...args);
  for (const spy of listening) spy.mockClear();
}

function open(html: string, attribute = 'data-early-presses'): void {
  close();
  document.body.innerHTML = `<div ${attribute}>${html}</div>`;
  holdClicks();
}

function hydrate(elements: Iterable<Element> = document.querySelectorAll('button, form, input')): void {
  for (const element of elements) {
    Object.assign(element, { __reactProps$test: {} });
    element.addEventListener(element.tagName === 'FORM' ? 'submit' : 'click', (event) => {
      if (element.tagName === 'FORM') event.preventDefault();
      handled.push(element.id);
    });
  }
}

async function replay(): Promise<void> {
  (window as { carryOutPresses?: (tell: (lost: string) => void) => void }).carryOutPresses?.(notify);
  await jest.runAllTimersAsync();
}

it('marks a clicked element at once, and replays the clicks once and in order after hydration', async () => {
  open(
    '<button id="plus">+</button><button id="heart"></button><label id="label"><input type="radio" id="value"></label>',
  );
  click('plus', 'heart', 'plus', 'value');
  expect(heldIds()).toEqual(['plus', 'heart', 'label']);
  expect((find('value') as HTMLInputElement).checked).toBe(false);
  hydrate();
  await replay();
  expect(handled).toEqual(['plus', 'heart', 'plus', 'value']);
  expect((find('value') as HTMLInputElement).checked).toBe(true);
  expect(heldIds()).toEqual([]);
  expect(notify).not.toHaveBeenCalled();
});

it('keeps the order of clicks made during the replay, and then no longer holds hydrated elements', async () => {
  open('<button id="first"></button><button id="second"></button>');
  click('first');
  hydrate();
  (window as { carryOutPresses?: (tell: (lost: string) => void) => void }).carryOutPresses?.(notify);
  click('second');
  await jest.runAllTimersAsync();
  expect(handled).toEqual(['first', 'second']);
  click('first');
  expect(handled).toEqual(['first', 'second', 'first']);
});

it('submits a form once, however often its button was clicked', async () => {
  open('<form novalidate id="order"><button id="buy">Buy</button></form>');
  click('buy', 'buy');
  hydrate([find('order')]);
  Object.assign(find('buy'), { __reactProps$test: {} });
  await replay();
  expect(handled).toEqual(['order']);
});

it('notifies once about clicks whose element is gone or disabled by then, and replays the others', async () => {
  open('<button id="gone"></button><button id="disabled"></button><button id="there"></button>');
  click('gone', 'disabled', 'there');
  hydrate();
  find('gone').remove();
  (find('disabled') as HTMLButtonElement).disabled = true;
  await replay();
  expect(handled).toEqual(['there']);
  expect(notify.mock.calls).toEqual([['没点上，请再点一次。']]);
});

it('waits for an element whose code loads later, for a limited time', async () => {
  open('<button id="late"></button><button id="never"></button>');
  click('late');
  setTimeout(() => hydrate([find('late')]), 1_000);
  await replay();
  expect(handled).toEqual(['late']);
  expect(notify).not.toHaveBeenCalled();
  click('never');
  await jest.runAllTimersAsync();
  expect(notify).toHaveBeenCalledTimes(1);
});

it('holds clicks on a late element after the page is hydrated, together with later clicks', async () => {
  open('<button id="there"></button><button id="late"></button><form novalidate id="form"></form>');
  hydrate([find('there')]);
  await replay();
  click('late', 'there');
  find('form').dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  expect([heldIds(), handled]).toEqual([['there', 'late', 'form'], []]);
  setTimeout(() => hydrate([find('late'), find('form')]), 1_000);
  await jest.runAllTimersAsync();
  expect([heldIds(), handled]).toEqual([[], ['late', 'there', 'form']]);
  click('there', 'late');
  expect(handled).toEqual(['late', 'there', 'form', 'there', 'late']);
  expect(notify).not.toHaveBeenCalled();
});

it('drops held clicks when the page is left', async () => {
  open('<button id="back"></button><button id="plus"></button>');
  click('back', 'plus');
  hydrate();
  find('back').addEventListener('click', () => window.history.replaceState(null, '', '/home'));
  await replay();
  expect(handled).toEqual(['back']);
  expect([heldIds(), notify.mock.calls]).toEqual([[], []]);
  open('<button id="plus"></button>');
  click('plus');
  window.dispatchEvent(new Event('pagehide'));
  expect(heldIds()).toEqual([]);
});

it('holds a link that React has hydrated, but not one that React has not hydrated or that opens another tab or site', async () => {
  open(
    '<a id="late" href="#late"></a><a id="own" href="#own"></a><a id="tab" href="#tab" target="_blank"></a><a id="site" href="https://else.example/"></a>',
  );
  hydrate([find('own'), find('tab'), find('site')]);
  const prevented: string[] = [];
  const note = (event: Event) => {
    if (event.defaultPrevented) prevented.push((event.target as Element).id);
    event.preventDefault();
  };
  document.addEventListener('click', note);
  click('late', 'tab', 'site');
  find('own').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
  expect(heldIds()).toEqual([]);
  expect(handled).toEqual(['tab', 'site', 'own']);
  click('own');
  expect(heldIds()).toEqual(['own']);
  await replay();
  expect(handled).toEqual(['tab', 'site', 'own', 'own']);
  expect(prevented).toEqual([]);
  document.removeEventListener('click', note);
});

it('does not hold what works without scripts, nor pages of a shell that does not replay clicks', async () => {
  open('<a id="link" href="#there"><b id="text">there</b></a><form><button id="theme"></button></form>');
  const seen: boolean[] = [];
  document.body.addEventListener('click', (event) => {
    seen.push(event.defaultPrevented);
    event.preventDefault();
  });
  click('text', 'theme');
  expect(seen).toEqual([false, false]);
  await replay();
  open('<button id="menu"></button>', '');
  click('menu');
  expect(seen).toEqual([false, false, false]);
  expect(heldIds()).toEqual([]);
});

it('prevents the native submit of a form that React validates, marks it for an older shell, and submits it in a newer one', async () => {
  open('<form novalidate id="login"><input name="password"></form>', '');
  const send = () => find('login').dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  expect(send()).toBe(false);
  expect(find('login').dataset.held).toBe('');
  hydrate([find('login')]);
  await replay();
  expect(handled).toEqual(['login']);
  document.body.innerHTML = '<form id="login"></form>';
  expect(send()).toBe(true);
});
