/** After hydration, pictures within this margin of the window are fetched, as in shared/src/ui/picture.tsx. */
const NEAR = '0px 30% 30% 30%';
const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/**
 * Holds far pictures back. Browsers fetch lazy pictures within some thousand pixels, before the scripts that hydrate the page. A
 * document that arrived rendered shows an empty picture instead until it is visible, or until it is near once the page is
 * hydrated (call the returned function then) and idle. The HTML itself and pages without scripts have the real pictures. Browsers
 * with IntersectionObserver have `forEach` of lists of elements too.
 */
export function holdFarPictures(): () => void {
  if (!document.documentElement.dataset.rendered || !window.IntersectionObserver) return () => {};
  const show = (picture: Element) => {
    watch.unobserve(picture);
    if (picture.getAttribute('srcset') === EMPTY) picture.removeAttribute('srcset');
  };
  const watchWithin = (rootMargin: string) =>
    new IntersectionObserver(
      (entries) =>
        entries.forEach(({ isIntersecting, target }) => {
          if (isIntersecting) show(target);
        }),
      { rootMargin },
    );
  let watch = watchWithin('0px');
  const hold = () => {
    document.querySelectorAll('img[loading="lazy"]:not([srcset]):not([data-seen])').forEach((picture) => {
      picture.setAttribute('data-seen', '');
      picture.setAttribute('srcset', EMPTY);
      watch.observe(picture);
    });
  };
  // Pictures must be held while the document arrives: a frame in between would fetch them.
  const arriving = new MutationObserver(hold);
  arriving.observe(document, { childList: true, subtree: true });
  document.addEventListener('readystatechange', () => {
    hold();
    arriving.disconnect();
  });
  addEventListener('beforeprint', () => document.querySelectorAll('img[data-seen]').forEach(show));
  const watchNear = () => {
    watch.disconnect();
    watch = watchWithin(NEAR);
    document.querySelectorAll(`img[srcset="${EMPTY}"]`).forEach((picture) => {
      watch.observe(picture);
    });
  };
  return () => void (window.requestIdleCallback || setTimeout)(watchNear);
}
