/** Tests that parts whose first state depends on the device hydrate without a mismatch. */

import type { ReactElement } from 'react';
import { act } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { Countdown } from './countdown';
import { Picture } from './picture';
import { SafeHtml } from './safe-html';
import { SafeHtml as ServerSafeHtml } from './safe-html.server';
import './texts';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
let root: Root | undefined;
afterEach(async () => {
  await act(async () => root?.unmount());
  document.body.replaceChildren();
  jest.useRealTimers();
});

/** Hydrates server-rendered HTML; returns the container and React's warnings. */
async function hydrate(element: ReactElement, html = renderToString(element)) {
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = html;
  const first = container.firstElementChild;
  const errors: unknown[] = [];
  await act(async () => {
    root = hydrateRoot(container, element, { onRecoverableError: (error) => errors.push(error) });
  });
  return { container, errors, isSame: container.firstElementChild === first };
}

it('a countdown reserves its space until it has the device’s clock', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
  const html = renderToString(<Countdown until="2026-01-01T00:01:30Z" />);
  expect(html).toContain('--:--:--');
  jest.setSystemTime(Date.parse('2026-01-01T00:01:00Z'));
  const { container, errors, isSame } = await hydrate(<Countdown until="2026-01-01T00:01:30Z" />, html);
  expect([errors, isSame, container.textContent]).toEqual([[], true, '00:30']);
});

it('a picture below the fold is in the document, loaded lazily by the browser, and stays the same element', async () => {
  const picture = <Picture src="/media/a.webp" alt="" width={36} height={36} />;
  const html = renderToString(picture);
  expect(html).toMatch(/<img [^>]*loading="lazy"/);
  expect(html).not.toContain('is-loading');
  const { errors, isSame } = await hydrate(picture, html);
  expect([errors, isSame]).toEqual([[], true]);
});

it('text of the shop is in the document, and the browser keeps it', async () => {
  const text = '<h2 id="one">One</h2><p>Text</p>';
  const html = renderToString(<ServerSafeHtml html={text} className="a" />);
  expect(html).toBe('<div class="ui-html a"><h2 id="user-content-one">One</h2><p>Text</p></div>');
  const { container, errors } = await hydrate(<SafeHtml html={text} className="a" />, html);
  expect(errors).toEqual([]);
  expect(container.innerHTML).toBe(html);
});
