import { browserCode } from '../browser/browser-code';
import { scriptJson } from '../site/html';
import { policyHash } from '../site/policy-hash';
import type { Site } from '../site/site';

export const BOOT_STYLE = browserCode.bootStyle;
export const BOOT_STYLE_HASH = policyHash(BOOT_STYLE);

export interface BootCode {
  script: string;
  scriptHash: string;
  userScript: string;
  userScriptHash: string;
}

const codeOfSites = new WeakMap<Site, BootCode>();

export function bootCode(site: Site): BootCode {
  const cached = codeOfSites.get(site);
  if (cached) return cached;
  const settings = `var bootSite=${scriptJson(site.boot)};`;
  const script = settings + browserCode.bootScript;
  const userScript = settings + browserCode.userScript;
  const code = { script, scriptHash: policyHash(script), userScript, userScriptHash: policyHash(userScript) };
  codeOfSites.set(site, code);
  return code;
}
