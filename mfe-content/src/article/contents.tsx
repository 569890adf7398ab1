import { classNames, Icon, preloadSafeHtml } from '@shop/shared/ui';
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../texts';
import type { Section } from './outline';

/** In px from the top of the window, just below the top bar: above it a heading counts as reached. */
const reachedPx = 120;

/** Id of the section being read: the last one whose heading has been reached. */
function useCurrentSection(sections: Section[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const headings = sections.flatMap(({ id }) => document.getElementById(id) ?? []);
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const reached = headings.filter((heading) => heading.getBoundingClientRect().top <= reachedPx);
      const last = window.scrollY > 0 && atEnd ? headings.at(-1) : reached.at(-1);
      setCurrent((last ?? headings[0])?.id);
    };
    const ask = () => {
      frame ||= requestAnimationFrame(look);
    };
    window.addEventListener('scroll', ask, { passive: true });
    return () => {
      window.removeEventListener('scroll', ask);
      cancelAnimationFrame(frame);
    };
  }, [sections]);
  return current ?? sections[0]?.id;
}

export function Contents({ sections }: { sections: Section[] }) {
  const { t } = useTexts();
  const listId = useId();
  const [open, setOpen] = useState(false);
  const current = useCurrentSection(sections);
  useSectionOfAddress(sections);

  const follow = (event: MouseEvent, id: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(false);
    goTo(id);
    // Keeps the router's history state; a router navigation would run the guard and count as a visit.
    window.history.replaceState(window.history.state, '', `#${id}`);
  };

  return (
    <nav className="ui-card content-contents" aria-label={t('article.contents')}>
      <button
        type="button"
        className="content-contents__toggle ui-row ui-gap-2"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <Icon name="list" size={18} />
        <span>{t('article.contents')}</span>
        <Icon name={open ? 'chevron-up' : 'chevron-down'} size={18} />
      </button>
      <p className="content-contents__title" aria-hidden="true">
        {t('article.contents')}
      </p>
      <ol id={listId} className={classNames('content-contents__list', open && 'is-open')}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="content-contents__link"
              aria-current={id === current ? 'location' : undefined}
              onClick={(event) => follow(event, id)}
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function goTo(id: string): void {
  const heading = document.getElementById(id);
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView?.();
}

/** Scrolls once to the section in the URL; later visits to the kept-alive page keep their scroll position. */
function useSectionOfAddress(sections: Section[]): void {
  const done = useRef(false);
  useEffect(() => {
    if (done.current) return;
    done.current = true;
    const id = window.location.hash.slice(1);
    if (!sections.some((section) => section.id === id)) return;
    // The text is rendered once the sanitiser has loaded.
    preloadSafeHtml().then(
      () => requestAnimationFrame(() => goTo(id)),
      () => {},
    );
  }, [sections]);
}
