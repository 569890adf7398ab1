/** @jest-environment jsdom */
import { holdFarPictures } from './far-pictures';

/** Pictures that the browser would fetch now. */
const fetched = () =>
  [...document.images].filter(({ srcset }) => !srcset.startsWith('data:')).map((one) => one.getAttribute('src'));
/** Mutations are told before the next task. */
const told = () => Promise.resolve();
const picture = (src: string, more = 'loading="lazy"') => `<img src="${src}" ${more}>`;
let come: (...pictures: Element[]) => void;

beforeEach(() => {
  document.documentElement.dataset.rendered = 'a page';
  document.body.innerHTML = '';
  const observed = new Set<Element>();
  window.IntersectionObserver = jest.fn((callback) => {
    come = (...targets) => callback(targets.map((target) => ({ isIntersecting: observed.has(target), target })));
    return {
      observe: (target: Element) => observed.add(target),
      unobserve: (target: Element) => observed.delete(target),
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
