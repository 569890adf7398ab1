/** Mainland mobile numbers with all but three and four digits hidden, also where an account is named by one. */
export function withoutPhones(text: string): string {
  return text.replace(/(?<!\d)((?:\+?86[\s-]?)?1[3-9]\d)[\s-]?\d{4}[\s-]?(\d{4})(?!\d)/g, '$1****$2');
}
