/** The boot script and style as inlined in the document, with the hashes that its content policy allows. */
import { browserCode } from '../browser/browser-code';
import { policyHash } from '../site/policy-hash';

export const BOOT_SCRIPT = browserCode.bootScript;
/** Only in documents that were drawn for a person. */
export const PERSON_SCRIPT = browserCode.personScript;
export const BOOT_STYLE = browserCode.bootStyle;
export const BOOT_SCRIPT_HASH = policyHash(BOOT_SCRIPT);
export const PERSON_SCRIPT_HASH = policyHash(PERSON_SCRIPT);
export const BOOT_STYLE_HASH = policyHash(BOOT_STYLE);
