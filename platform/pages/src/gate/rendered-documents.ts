/** The documents of a release that is not live yet, rendered as a server would render them, for a gate that opens them in a browser. */

import type { GateDocument, GateDocuments } from '@platform/gate';
import type { GateContext } from '@platform/releases';
import { composeDocument, routeOfAddress } from '../compose/compose-document';
import { HOME } from '../metadata/page-metadata';
import { launcher } from '../rendering/launcher';
import { ReleaseSets } from '../rendering/release-sets';
import { renderWhole } from '../rendering/render-whole';
import { IsolatedRenderer } from '../rendering/renderer';
import { immutableFiles } from '../serving/immutable-files';
import { styleSheets } from '../serving/style-sheets';
import { describeFault } from './describe-fault';

const VISITORS = [
  { language: 'zh-CN', currency: 'CNY' },
  { language: 'en', currency: 'USD' },
] as const;
/** For one page. Generous: a page that is slow on a busy machine is the watcher's matter. */
const LIMITS = { pageMs: 3_000, waitMs: 20_000, processes: 1 };

/** What cannot be rendered arrives as a skeleton, with the fault beside it. */
export async function renderedDocuments({ store, map }: GateContext, against: string): Promise<GateDocuments> {
  const sets = new ReleaseSets(store);
  const renderer = new IsolatedRenderer({ limits: LIMITS });
  // With this number a visitor gets the canary, which is the release under test where there is one.
  const set = (await launcher()).fault ? undefined : await sets.of(map, 0);
  const sheetsAt = styleSheets(immutableFiles(store));
  const known = new Map<string, Promise<GateDocument>>();
  return {
    documentOf(live, asked) {
      const { path, language, dark } = asked;
      const key = `${path} ${language} ${dark}`;
      const make = async (): Promise<GateDocument> => {
        const visitor = VISITORS.find((one) => one.language === language);
        const isPublic = !routeOfAddress(live, path)?.flags?.requiresLogin;
        const theme = dark ? 'dark' : 'light';
        const shown = path === '/' ? HOME : path;
        if (!set || !visitor || !isPublic) return composeDocument(live, asked);
        const { page, fault } = await renderWhole(renderer, set, { path: shown, theme, ...visitor }, against);
        if (fault) {
          // Another visit may find the machine less busy.
          known.delete(key);
          const isCertain = fault.failure === 'threw' || fault.failure === 'start';
          return { ...composeDocument(live, asked), fault: { what: await describeFault(store, fault), isCertain } };
        }
        const sheets = await sheetsAt(composeDocument(live, asked).sheets);
        return composeDocument(live, { ...asked, drawn: page && { ...page, path: shown, language, theme, sheets } });
      };
      const document = known.get(key) ?? make();
      known.set(key, document);
      return document;
    },
    async close() {
      await renderer.close();
      await sets.close();
    },
  };
}
