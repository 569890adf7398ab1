import type { GateDocument, GateDocuments } from '@platform/gate';
import type { GateContext, RenderRequest } from '@platform/releases';
import { composeDocument, routeOfAddress } from '../compose/compose-document';
import { HOME } from '../metadata/page-metadata';
import { launcher } from '../rendering/launcher';
import { ReleaseSets } from '../rendering/release-sets';
import { renderWithAnswers } from '../rendering/render-with-answers';
import { IsolatedRenderer, type RenderFault } from '../rendering/renderer';
import { immutableFiles, styleSheets } from '../serving/immutable-files';
import type { Site } from '../site/site';
import { describeFault } from './describe-fault';

const ANSWER_MS = 5_000;
/** Limits of one page. They are generous, because the watcher judges pages that are slow on a busy machine. */
const LIMITS = { pageMs: 3_000, waitMs: 20_000, processes: 1 };

/** A page that cannot be rendered arrives as a skeleton, with the fault beside it. */
export async function renderedDocuments(
  { store, map }: GateContext,
  site: Site,
  against: string,
): Promise<GateDocuments> {
  const sets = new ReleaseSets(store);
  const renderer = new IsolatedRenderer({ limits: LIMITS });
  // A visitor with number 0 gets the canary, which is the release under test if there is one.
  const set = (await launcher()).fault ? undefined : await sets.forVisitor(map, 0);
  const sheetsAt = styleSheets(immutableFiles(store));
  const documents = new Map<string, Promise<GateDocument>>();

  const render = async (request: Omit<RenderRequest, 'answers'>) => {
    const answers: Record<string, unknown> = {};
    let fault: RenderFault | undefined;
    const load = async (calls: readonly string[]) => {
      for (const call of calls) answers[call] = await answerOf(`${against}${call}`, request);
      return true;
    };
    const rendered = await renderWithAnswers(
      [],
      load,
      async () =>
        set &&
        renderer.render(set, { ...request, answers }, (reported) => {
          fault = reported;
        }),
    );
    return { page: rendered?.page, fault };
  };

  return {
    documentOf(live, request) {
      const { path, language, dark } = request;
      const key = `${path} ${language} ${dark}`;
      const make = async (): Promise<GateDocument> => {
        const currency = site.boot.currencies[language] as RenderRequest['currency'];
        const isPublic = !routeOfAddress(live, path)?.flags?.requiresLogin;
        const theme = dark ? 'dark' : 'light';
        const shown = path === '/' ? HOME : path;
        const composed = composeDocument(live, { ...request, site });
        const skeleton = composed.write();
        if (!set || !isPublic) return skeleton;
        const { page, fault } = await render({ path: shown, theme, language, currency });
        if (fault) {
          // Another visit may find the machine less busy.
          documents.delete(key);
          const isCertain = fault.failure === 'threw' || fault.failure === 'start';
          return { ...skeleton, fault: { what: await describeFault(store, fault), isCertain } };
        }
        const sheets = await sheetsAt(composed.sheets);
        return composed.write(page && { ...page, path: shown, language, theme, sheets });
      };
      const document = documents.get(key) ?? make();
      documents.set(key, document);
      return document;
    },
    async close() {
      await renderer.close();
      await sets.close();
    },
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
