import { posix } from 'node:path';
import type { GateDocument, GateDocuments } from '@platform/gate';
import { type GateContext, placeInSource, type RenderRequest, type Store, workspaceOf } from '@platform/releases';
import { composeDocument } from '../compose/compose-document';
import { HOME } from '../metadata/page-metadata';
import { PageRendering, type RenderFault } from '../rendering';
import { renderWithAnswers } from '../rendering/render-with-answers';
import { labelOf } from '../rendering/runtime-config';
import { immutableFiles, styleSheets } from '../serving/immutable-files';
import type { Site } from '../site/site';

const ANSWER_MS = 5_000;
/** Limits of one page. They are generous, because the watcher judges pages that are slow on a busy machine. */
const LIMITS = { pageMs: 3_000, waitMs: 20_000, processes: 1 };

/** A page that cannot be rendered arrives as a skeleton, with the fault beside it. */
export function gateDocuments({ store, map }: GateContext, site: Site, against: string): GateDocuments {
  const rendering = new PageRendering({ store, limits: LIMITS });
  const sheetsAt = styleSheets(immutableFiles(store));
  const documents = new Map<string, Promise<GateDocument>>();

  const render = async (request: Omit<RenderRequest, 'answers'>) => {
    const answers: Record<string, unknown> = {};
    let fault: RenderFault | undefined;
    const load = async (calls: readonly string[]) => {
      for (const call of calls) answers[call] = await answerOf(`${against}${call}`, request);
      return true;
    };
    const onFault = (reported: RenderFault) => {
      fault = reported;
    };
    // A visitor with number 0 gets the canary, which is the release under test if there is one.
    const rendered = await renderWithAnswers([], load, () => rendering.page(map, 0, { ...request, answers }, onFault));
    return { page: rendered?.page, fault };
  };

  return {
    documentOf({ isRendered, ...request }) {
      const { path, language, dark } = request;
      if (!isRendered) return composeDocument(map, { ...request, site }).write();
      const key = `${path} ${language} ${dark}`;
      const make = async (): Promise<GateDocument> => {
        const currency = site.boot.currencies[language] as RenderRequest['currency'];
        const theme = dark ? 'dark' : 'light';
        const shown = path === '/' ? HOME : path;
        const document = composeDocument(map, { ...request, site });
        const { page, fault } = await render({ path: shown, theme, language, currency });
        if (fault) {
          // Another visit may find the machine less busy.
          documents.delete(key);
          const isCertain = fault.failure === 'threw' || fault.failure === 'start';
          return { ...document.write(), fault: { what: await describeFault(store, fault), isCertain } };
        }
        const sheets = await sheetsAt(document.sheets);
        return document.write(page && { ...page, sheets });
      };
      const document = documents.get(key) ?? make();
      documents.set(key, document);
      return document;
    },
    close: () => rendering.close(),
  };
}

async function answerOf(
  url: string,
  { language, currency }: Pick<RenderRequest, 'language' | 'currency'>,
): Promise<unknown> {
  const headers = { Locale: language, Currency: currency };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    return await response.json();
  } catch {
    return undefined;
  }
}

const OWN_SOURCE = /^(?!.*node_modules)[\w@./-]+\.[jt]sx?:/;

async function describeFault(store: Store, { name, version, failure, detail }: RenderFault): Promise<string> {
  const [message = ''] = detail.split('\n');
  const location = await placeOf(store, { name, version }, detail);
  const summary = failure === 'threw' || failure === 'start' ? message : `${failure}: ${message}`;
  return `${summary}${location && ` at ${location}`}, in ${labelOf(name, { version })}`;
}

async function placeOf(store: Store, release: { name: string; version: string }, stack: string): Promise<string> {
  const [, ...rest] = stack.split(`${labelOf(release.name, release)}/`);
  const places = rest.flatMap((text) => /^[^:\s]+:\d+:\d+/.exec(text) ?? []);
  for (const place of places) {
    const source = await placeInSource(store, release, place, (file) => `${file}.map`);
    // Lines of libraries and the bundler say little; the page is further down the stack.
    if (source && OWN_SOURCE.test(source)) return posix.join(workspaceOf(release.name), source);
  }
  return places[0] ?? '';
}
