import { openVisit, report, reportShell, shownVisit } from '@platform/host/health';
import { type Field, typeInto } from '@platform/host/kept-input';
import { natives } from '@platform/host/natives';
import { stylesSettled } from '@platform/host/release-assets';
import { isCheckable } from '@platform/host/unsaved-input';
import type { DocumentFlags } from '@platform/releases/contract';
import { currencyOf } from '@shop/shared/domain';
import { giveAnswers } from '@shop/shared/http';
import { routeOf } from '../guard/guard';
import { loadAccountDialogs } from '../login/load-account-dialogs';
import type { Shell } from '../shell-context';
import type { RenderedDocument } from './rendered-document';
import { startData } from './router';

/**
 * Loads the page's code and the data of the document, so that the first render equals the document. False if another release than
 * the document's serves the page, or if the visitor has gone to another address meanwhile.
 */
export async function preparePage(shell: Shell, rendered: RenderedDocument): Promise<boolean> {
  const { language, path } = rendered;
  const address = addressNow();
  const { token } = shell.session;
  const dialog = shell.overlays.account !== 'none' && loadAccountDialogs();
  giveAnswers(rendered.answers, { token, language, currency: currencyOf(language) });
  void shell.appConfig.load();
  const route = routeOf(shell.releases.routes, path);
  const release = route && shell.releases.current(route.remote);
  if (release) {
    openVisit(release.name, release.version, route.page);
    const page = await shell.loader.load(release, route.page);
    if (page.release !== release) return false;
    shell.loader.show(release);
    startData(page.module, route, new URL(window.location.href));
  }
  await Promise.all([lateStyles(), dialog]);
  // The answers are in memory: they need only this turn of the event loop.
  await new Promise<void>((resolve) => natives.setTimeout(resolve, 0));
  return addressNow() === address;
}

const addressNow = () => window.location.pathname + window.location.search;

/** Removes a page in another language than the visitor's, and the flag that hides it (platform/pages/src/boot/theme-and-language.ts). */
export function dropOtherLanguage(container: Element): void {
  const flags: DocumentFlags = document.documentElement.dataset;
  if (flags.redraw === undefined) return;
  container.replaceChildren();
  delete flags.redraw;
}

const stylesTimeoutMs = 3_000;

/**
 * The document inlines only the rules of its own page. Other pages and parts need the whole style sheets, which usually load before
 * the scripts.
 */
export const lateStyles = (): Promise<void> =>
  stylesSettled([...document.querySelectorAll<HTMLLinkElement>('link[data-late=""]')], stylesTimeoutMs);

/** The document's policy refuses style attributes, so they came as data, with a rule for each. */
export function applyStyles(container: Element): void {
  for (const element of container.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? '';
    delete element.dataset.style;
  }
}

/** Saves the input before hydration. Call the result afterwards: React keeps its own values, and then gets events for the saved ones. */
export function keepInput(container: Element): () => void {
  const fields = [...container.querySelectorAll<Field>('input, textarea, select')];
  const edited = fields.filter((field) =>
    isCheckable(field)
      ? field.checked && !field.defaultChecked
      : !('defaultValue' in field) || field.value !== field.defaultValue,
  );
  const values = edited.map((field) => ({ field, value: field.value }));
  return () => {
    for (const { field, value } of values) {
      if (!field.isConnected) continue;
      // React compares with its last value.
      if (isCheckable(field)) field.checked = false;
      else if ('defaultValue' in field) field.value = field.defaultValue;
      typeInto(field, value);
    }
  };
}

/**
 * React re-renders a page that does not hydrate. That is a fault of the release whose part of the page differs, but of none if
 * `isChanged` returns that a translator or an extension changed the page.
 */
export function hydrationReporter(container: Element, isChanged: () => boolean): (error: unknown) => void {
  const page = container.querySelector('[data-remote]');
  const shape = page && shapeOf(page);
  return (error) => {
    console.error('the document was rendered again', error);
    if (isChanged()) return;
    const visit = shownVisit();
    const page = container.querySelector('[data-remote]');
    if (visit && shape !== (page && shapeOf(page))) report(visit, 'render');
    else reportShell('render');
  };
}

const shapeOf = (element: Element): string => `${element.getElementsByTagName('*').length} ${element.textContent}`;
