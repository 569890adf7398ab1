/** After hydration, pictures within this margin of the window are fetched, as in shared/src/ui/picture.tsx. */
const NEAR = '0px 30% 30% 30%';
const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/**
 * Holds far pictures back. Browsers fetch lazy pictures within some thousand pixels, before the scripts that hydrate the page. A
 * document that arrived rendered shows an empty picture instead until it is visible, or until it is near once the page is
 * hydrated (call the returned function then) and idle. The HTML itself and pages without scripts have the real pictures.
 */
export function holdFarPictures(): () => void {
  if (!document.documentElement.dataset.rendered || !window.IntersectionObserver) return () => {};
  const show = (picture: Element) => {
    watch.unobserve(picture);
    if (picture.getAttribute('srcset') === EMPTY) picture.removeAttribute('srcset');
  };
  const watchWithin = (rootMargin: string) =>
    new IntersectionObserver(
      (entries) => {
        for (let index = 0; index < entries.length; index += 1) {
          const { isIntersecting, target } = entries[index] as IntersectionObserverEntry;
          if (isIntersecting) show(target);
        }
      },
      { rootMargin },
    );
  let watch = watchWithin('0px');
  const hold = () => {
    const arrived = document.querySelectorAll('img[loading="lazy"]:not([srcset]):not([data-seen])');
    for (let index = 0; index < arrived.length; index += 1) {
      const picture = arrived[index] as Element;
      picture.setAttribute('data-seen', '');
      picture.setAttribute('srcset', EMPTY);
      watch.observe(picture);
    }
  };
  // Pictures must be held while the document arrives: a frame in between would fetch them.
  const arriving = new MutationObserver(hold);
  arriving.observe(document, { childList: true, subtree: true });
  document.addEventListener('readystatechange', () => {
    hold();
    arriving.disconnect();
  });
  addEventListener('beforeprint', () => {
    const pictures = document.querySelectorAll('img[data-seen]');
    for (let index = 0; index < pictures.length; index += 1) show(pictures[index] as Element);
  });
  const watchNear = () => {
    watch.disconnect();
    watch = watchWithin(NEAR);
    const pending = document.querySelectorAll(`img[srcset="${EMPTY}"]`);
    for (let index = 0; index < pending.length; index += 1) watch.observe(pending[index] as Element);
  };
  return () => void (window.requestIdleCallback || setTimeout)(watchNear);
}
