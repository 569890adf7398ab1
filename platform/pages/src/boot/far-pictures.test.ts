/** @jest-environment jsdom */
import { holdFarPictures } from './far-pictures';

/** Pictures that the browser would fetch now. */
const fetched = () =>
  [...document.images].filter(({ srcset }) => !srcset.startsWith('data:')).map((one) => one.getAttribute('src'));
/** Mutations are told before the next task. */
const told = () => Promise.resolve();
const picture = (src: string, more = 'loading="lazy"') => `<img src="${src}" ${more}>`;
let come: (...pictures: Element[]) => void;
let margin: string | undefined;
let watched: () => Element[];

beforeEach(() => {
  document.documentElement.dataset.rendered = 'a page';
  document.body.innerHTML = '';
  window.IntersectionObserver = jest.fn((callback, options) => {
    const observed = new Set<Element>();
    margin = options.rootMargin;
    watched = () => [...observed];
    come = (...targets) => callback(targets.map((target) => ({ isIntersecting: observed.has(target), target })));
    return {
      observe: (target: Element) => observed.add(target),
      unobserve: (target: Element) => observed.delete(target),
      disconnect: () => observed.clear(),
    };
  }) as never;
});
afterEach(() => {
  document.dispatchEvent(new Event('readystatechange'));
  Reflect.deleteProperty(window, 'IntersectionObserver');
});

it('holds pictures back as they arrive, until they are near, and once only', async () => {
  holdFarPictures();
  document.body.innerHTML = picture('/one') + picture('/two') + picture('/first', 'fetchpriority="high"');
  await told();
  expect(fetched()).toEqual(['/first']);
  come(document.images[0] as Element);
  expect(fetched()).toEqual(['/one', '/first']);
  document.body.insertAdjacentHTML('beforeend', picture('/three'));
  await told();
  expect(fetched()).toEqual(['/one', '/first']);
});

it('fetches those in the window only until the page works, then those that are near too', async () => {
  const fetchNear = holdFarPictures();
  document.body.innerHTML = picture('/seen') + picture('/near');
  await told();
  expect(margin).toBe('0px');
  const [seen, near] = [...document.images] as [HTMLImageElement, HTMLImageElement];
  come(seen);
  jest.useFakeTimers();
  fetchNear();
  expect(margin).toBe('0px');
  jest.runAllTimers();
  jest.useRealTimers();
  expect(margin).toBe('0px 30% 30% 30%');
  expect(watched()).toEqual([near]);
  come(near);
  expect(fetched()).toEqual(['/seen', '/near']);
});

it('leaves pictures that scripts draw after the document has arrived to them', async () => {
  holdFarPictures();
  document.dispatchEvent(new Event('readystatechange'));
  document.body.innerHTML = picture('/later');
  await told();
  expect(fetched()).toEqual(['/later']);
});

it('shows all of them on paper', async () => {
  holdFarPictures();
  document.body.innerHTML = picture('/one');
  await told();
  dispatchEvent(new Event('beforeprint'));
  expect(fetched()).toEqual(['/one']);
});

it('leaves them to the browser in a page that did not come rendered, and in a browser that does not tell what is near', async () => {
  delete document.documentElement.dataset.rendered;
  holdFarPictures();
  document.documentElement.dataset.rendered = 'a page';
  Reflect.deleteProperty(window, 'IntersectionObserver');
  holdFarPictures();
  document.body.innerHTML = picture('/one');
  await told();
  expect(fetched()).toEqual(['/one']);
});
