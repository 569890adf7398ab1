/** Beyond the window by so much of it a picture of a page that works is fetched: as those that scripts draw (shared/src/ui/picture.tsx). */
const NEAR = '0px 30% 30% 30%';
const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/**
 * Browsers fetch lazy pictures from some thousand pixels on, ahead of the scripts that make the page work. In a document that came
 * rendered they show an empty one until they are seen, or near once the page works (call what is returned then) and is idle; without
 * scripts, and in the HTML itself, they are where they were.
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
    const found = document.querySelectorAll('img[loading="lazy"]:not([srcset]):not([data-seen])');
    for (let index = 0; index < found.length; index += 1) {
      const picture = found[index] as Element;
      picture.setAttribute('data-seen', '');
      picture.setAttribute('srcset', EMPTY);
      watch.observe(picture);
    }
  };
  // While the document arrives: a frame in between would fetch them.
  const arriving = new MutationObserver(hold);
  arriving.observe(document, { childList: true, subtree: true });
  document.addEventListener('readystatechange', () => {
    hold();
    arriving.disconnect();
  });
  addEventListener('beforeprint', () => {
    const seen = document.querySelectorAll('img[data-seen]');
    for (let index = 0; index < seen.length; index += 1) show(seen[index] as Element);
  });
  const watchNear = () => {
    watch.disconnect();
    watch = watchWithin(NEAR);
    const left = document.querySelectorAll(`img[srcset="${EMPTY}"]`);
    for (let index = 0; index < left.length; index += 1) watch.observe(left[index] as Element);
  };
  return () => void (window.requestIdleCallback || setTimeout)(watchNear);
}
