/** @jest-environment jsdom */
import { holdFarPictures } from './far-pictures';

const fetched = () =>
  [...document.images].filter(({ srcset }) => !srcset.startsWith('data:')).map((image) => image.getAttribute('src'));
const observersNotified = () => Promise.resolve();
const picture = (src: string, attributes = 'loading="lazy"') => `<img src="${src}" ${attributes}>`;
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

it('pictures are held back as they arrive, once each, until they are near the window', async () => {
  holdFarPictures();
  document.body.innerHTML = picture('/one') + picture('/two') + picture('/first', 'fetchpriority="high"');
  await observersNotified();
  expect(fetched()).toEqual(['/first']);
  come(document.images[0] as Element);
  expect(fetched()).toEqual(['/one', '/first']);
  document.body.insertAdjacentHTML('beforeend', picture('/three'));
  await observersNotified();
  expect(fetched()).toEqual(['/one', '/first']);
});

it('only pictures in the window are fetched until hydration, then those near the window too', async () => {
  const fetchNear = holdFarPictures();
  document.body.innerHTML = picture('/seen') + picture('/near');
  await observersNotified();
  expect(margin).toBe('0px');
  const [visiblePicture, nearPicture] = [...document.images] as [HTMLImageElement, HTMLImageElement];
  come(visiblePicture);
  jest.useFakeTimers();
  fetchNear();
  expect(margin).toBe('0px');
  jest.runAllTimers();
  jest.useRealTimers();
  expect(margin).toBe('0px 30% 30% 30%');
  expect(watched()).toEqual([nearPicture]);
  come(nearPicture);
  expect(fetched()).toEqual(['/seen', '/near']);
});

it('pictures that scripts render after the document has arrived are not held back', async () => {
  holdFarPictures();
  document.dispatchEvent(new Event('readystatechange'));
  document.body.innerHTML = picture('/later');
  await observersNotified();
  expect(fetched()).toEqual(['/later']);
});

it('all pictures are shown for printing', async () => {
  holdFarPictures();
  document.body.innerHTML = picture('/one');
  await observersNotified();
  dispatchEvent(new Event('beforeprint'));
  expect(fetched()).toEqual(['/one']);
});

it('pictures are not held back in a page that did not arrive rendered, or in a browser without IntersectionObserver', async () => {
  delete document.documentElement.dataset.rendered;
  holdFarPictures();
  document.documentElement.dataset.rendered = 'a page';
  Reflect.deleteProperty(window, 'IntersectionObserver');
  holdFarPictures();
  document.body.innerHTML = picture('/one');
  await observersNotified();
  expect(fetched()).toEqual(['/one']);
});
