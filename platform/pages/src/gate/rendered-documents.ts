import { posix } from 'node:path';
import type { GateDocument, GateDocuments } from '@platform/gate';
import { type GateContext, placeInSource, type RenderRequest, type Store, workspaceOf } from '@platform/releases';
import { composeDocument } from '../compose/compose-document';
import { HOME } from '../metadata/page-metadata';
import { PageRendering, type RenderFault } from '../rendering';
import { labelOf } from '../rendering/runtime-config';
import { immutableFiles, styleSheets } from '../serving/immutable-files';
import { type AnswerOutcome, type PageRequest, renderPage } from '../serving/rendered-pages';
import type { Site } from '../site/site';

const ANSWER_MS = 5_000;
/** Limits of one page. They are generous, because the watcher judges pages that are slow on a busy machine. */
const LIMITS = { pageMs: 3_000, waitMs: 20_000, processes: 1 };
const NOTHING_LOADED = { calls: [], answers: new Map(), hasAllCalls: true };

/** A page that cannot be rendered arrives as a skeleton, with the fault beside it. */
export function gateDocuments({ store, map }: GateContext, site: Site, against: string): GateDocuments {
  const rendering = new PageRendering({ store, limits: LIMITS });
  const sheetsAt = styleSheets(immutableFiles(store));
  const documents = new Map<string, Promise<GateDocument>>();

  return {
    documentOf({ isRendered, ...request }) {
      const { path, language, dark } = request;
      if (!isRendered) return composeDocument(map, { ...request, site }).write();
      const key = `${path} ${language} ${dark}`;
      const make = async (): Promise<GateDocument> => {
        const document = composeDocument(map, { ...request, site });
        const currency = site.boot.currencies[language] as RenderRequest['currency'];
        const ask = (call: string) => answerOf(`${against}${call}`, { Locale: language, Currency: currency });
        const faults: RenderFault[] = [];
        const shown: PageRequest = {
          map,
          // It gets the canary, which is the release under test if there is one.
          visitor: 0,
          route: null,
          path: path === '/' ? HOME : path,
          language,
          theme: dark ? 'dark' : 'light',
          onFault: (fault) => faults.push(fault),
        };
        const rendered = await renderPage(rendering, shown, { currency, ask }, NOTHING_LOADED);
        const [fault] = faults;
        if (fault) {
          // Another visit may find the machine less busy.
          documents.delete(key);
          const isCertain = fault.failure === 'threw' || fault.failure === 'start';
          return { ...document.write(), fault: { what: await describeFault(store, fault), isCertain } };
        }
        const sheets = await sheetsAt(document.sheets);
        return document.write(rendered && { ...rendered.page, sheets });
      };
      const document = documents.get(key) ?? make();
      documents.set(key, document);
      return document;
    },
    close: () => rendering.close(),
  };
}

async function answerOf(url: string, headers: Record<string, string>): Promise<AnswerOutcome> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    const envelope: unknown = await response.json();
    return { tag: '', envelope: () => envelope };
  } catch {
    return 'refused';
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
