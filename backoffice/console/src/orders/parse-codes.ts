interface Code {
  card_no: string;
  card_pwd: string;
}

/** One code per line: the number, and its password after a space or comma. `bad` has line numbers, from 1. */
export function parseCodes(text: string): { codes: Code[]; bad: number[] } {
  const codes: Code[] = [];
  const bad: number[] = [];
  const seen = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const parts = line.split(/[\s,，]+/).filter(Boolean);
    const [card_no, card_pwd = ''] = parts;
    if (card_no === undefined) continue;
    const key = parts.join(' ');
    if (parts.length > 2 || seen.has(key)) bad.push(index + 1);
    else codes.push({ card_no, card_pwd });
    seen.add(key);
  }
  return { codes, bad };
}
