import { browserCode } from '../browser/browser-code';
import { policyHash, scriptJson } from '../site/html';
import type { Site } from '../site/site';

export const BOOT_STYLE = browserCode.bootStyle;
export const BOOT_STYLE_HASH = policyHash(BOOT_STYLE);

const codeOfSites = new WeakMap<Site, ReturnType<typeof codeOf>>();

export function bootCode(site: Site) {
  const code = codeOfSites.get(site) ?? codeOf(site);
  codeOfSites.set(site, code);
  return code;
}

function codeOf(site: Site) {
  const settings = `var bootSite=${scriptJson(site.boot)};`;
  const script = settings + browserCode.bootScript;
  const userScript = settings + browserCode.userScript;
  return { script, scriptHash: policyHash(script), userScript, userScriptHash: policyHash(userScript) };
}
