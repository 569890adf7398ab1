import type { NavigationEntry, RouteContract } from '@platform/releases/contract';
import { bilingual } from '../site/html';
import type { Site } from '../site/site';

const blocks = ['boot-block boot-block--tall', 'boot-block boot-block--line', 'boot-block', 'boot-block'];

/** What is painted until the shell draws: the bars of the route's flags and grey blocks. */
export function skeleton(
  route: RouteContract | null,
  tabs: readonly NavigationEntry[],
  { name }: Pick<Site, 'name'>,
): string {
  const flags = route?.flags ?? {};
  if (flags.layout === false) return '';
  const title = flags.showTitle && route ? route.title : name;
  const topBar = `<div class="boot-top${flags.transparent ? ' boot-top--clear' : ''}">${bilingual(title)}</div>`;
  const labels = [...tabs]
    .sort((left, right) => left.order - right.order)
    .map(({ label }) => `<span>${bilingual(label)}</span>`)
    .join('');
  const tabBar = `<div class="boot-tabs">${labels}</div>`;
  const main = `<div class="boot-main">${blocks.map((names) => `<div class="${names}"></div>`).join('')}</div>`;
  return `<div class="boot" aria-hidden="true">${flags.topBar === false ? '' : topBar}${main}${flags.tabBar && labels ? tabBar : ''}</div>`;
}
