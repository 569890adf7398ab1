/** The documents of a release that is not live yet, rendered as a server would render them, for a gate that opens them in a browser. */
import type { GateContext } from '@platform/releases';
import type { GateDocuments } from '@platform/releases/browser-gate';
import { type ComposedDocument, composeDocument, routeOfAddress } from '../compose/compose-document';
import { HOME } from '../metadata/page-metadata';
import { launcher } from '../rendering/launcher';
import { ReleaseSets } from '../rendering/release-sets';
import { LIMITS, VISITORS } from '../rendering/render-gate';
import { renderWhole } from '../rendering/render-whole';
import { IsolatedRenderer } from '../rendering/renderer';
import { immutableFiles } from '../serving/immutable-files';
import { styleSheets } from '../serving/style-sheets';

/** What cannot be rendered arrives as a skeleton. */
export async function renderedDocuments({ store, map }: GateContext, against: string): Promise<GateDocuments> {
  const sets = new ReleaseSets(store);
  const renderer = new IsolatedRenderer({ limits: LIMITS });
  // With this number a visitor gets the canary, which is the release under test where there is one.
  const set = (await launcher()).fault ? undefined : await sets.of(map, 0);
  const sheetsAt = styleSheets(immutableFiles(store));
  const known = new Map<string, Promise<ComposedDocument>>();
  return {
    documentOf(live, asked) {
      const { path, language, dark } = asked;
      const key = `${path} ${language} ${dark}`;
      const make = async () => {
        const visitor = VISITORS.find((one) => one.language === language);
        const isPublic = !routeOfAddress(live, path)?.flags?.requiresLogin;
        const theme = dark ? 'dark' : 'light';
        const shown = path === '/' ? HOME : path;
        if (!set || !visitor || !isPublic) return composeDocument(live, asked);
        const { page } = await renderWhole(renderer, set, { path: shown, theme, ...visitor }, against);
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
