/** Stands in for the containers of releases in the single application: a page is a chunk of the same build. */
import { pages } from 'bench-pages';
import { pageIn } from './page-in';

export const { containerRuntime, containerName } = pageIn(async (name, page) => {
  const load = pages[`${name}/${page}`];
  if (!load) throw new Error(`no page ${name}/${page}`);
  return load();
});
