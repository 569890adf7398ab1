/** Beyond the window by so much of it a picture is fetched: as pictures of pages that scripts draw (shared/src/ui/picture.tsx). */
const NEAR = '0px 30% 30% 30%';
const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/**
 * Browsers fetch lazy pictures from some thousand pixels on, ahead of the scripts that make the page work. In a document that came
 * rendered they show an empty one until they are near; without scripts, and for whoever reads the HTML, they are where they were.
 */
export function holdFarPictures(): void {
  if (!document.documentElement.dataset.rendered || !window.IntersectionObserver) return;
  const show = (picture: Element) => {
    near.unobserve(picture);
    if (picture.getAttribute('srcset') === EMPTY) picture.removeAttribute('srcset');
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (let index = 0; index < entries.length; index += 1) {
        const { isIntersecting, target } = entries[index] as IntersectionObserverEntry;
        if (isIntersecting) show(target);
      }
    },
    { rootMargin: NEAR },
  );
  const hold = () => {
    const found = document.querySelectorAll('img[loading="lazy"]:not([srcset]):not([data-seen])');
    for (let index = 0; index < found.length; index += 1) {
      const picture = found[index] as Element;
      picture.setAttribute('data-seen', '');
      picture.setAttribute('srcset', EMPTY);
      near.observe(picture);
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
}
