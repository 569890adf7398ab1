import type { RenderCounts } from '@platform/pages/rendering';
import type { OpsRelease } from '../ops-state';
import type { Act } from './actions';
import { button, element } from './dom';

/** What the server rendered of it, and whether it does; null for a release without pages so far. */
export function renderingRow({ name, renderingOff, rendering, may }: OpsRelease, act: Act): HTMLElement | null {
  if (renderingOff) {
    return element(
      'div',
      { class: 'frozen' },
      element('span', {}, `Not rendered on the server, by ${renderingOff.by}: ${renderingOff.why}`),
      may.includes('render-on') && button('render-on', 'Render again', () => act({ action: 'render-on', name })),
    );
  }
  if (rendering.length === 0) return null;
  return element(
    'ul',
    { class: 'segments', 'aria-label': `Pages of ${name} that this server rendered` },
    ...rendering.map(countsRow),
  );
}

function countsRow({ version, pages, seconds, failures, detail }: RenderCounts): HTMLElement {
  const reasons = Object.entries(failures).map(([reason, count]) => `${reason} ${count}`);
  const mean = pages > 0 ? `, ${Math.round((seconds * 1000) / pages)} ms each` : '';
  const failed = reasons.some((reason) => !reason.startsWith('busy'));
  return element(
    'li',
    failed ? { class: 'bad', title: detail } : {},
    element('span', {}, `rendered ${version}`),
    element(
      'span',
      {},
      `${pages} ${pages === 1 ? 'page' : 'pages'}${mean}${reasons.length > 0 ? `; not: ${reasons.join(', ')}` : ''}`,
    ),
  );
}
