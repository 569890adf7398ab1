import { useEffect, useState } from 'react';
import type { Section } from './outline';

/** In px from the top of the window, just below the top bar: where a heading counts as reached. */
const reachedPx = 120;

/** Id of the section being read: the last one whose heading has been reached. */
export function useCurrentSection(sections: Section[]): string | undefined {
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
