import { type CodeFaultKind, readCodeLines } from '@shop/shared/domain/code-lines';

interface Code {
  card_no: string;
  card_pwd: string;
}

/** The codes of a delivery, one per line, and the lines that are wrong, from 1. */
export function parseCodes(text: string): {
  codes: Code[];
  bad: Array<{ line: number; kind: CodeFaultKind; other?: number }>;
} {
  const codes: Code[] = [];
  const bad: Array<{ line: number; kind: CodeFaultKind; other?: number }> = [];
  const lines = new Map<string, number>();
  for (const { line, cells, fault } of readCodeLines(text)) {
    const { card_no = '', card_pwd = '', expire_at } = cells;
    const key = JSON.stringify([card_no, card_pwd]);
    const other = lines.get(key);
    if (fault || expire_at) bad.push({ line, kind: fault ?? 'format' });
    else if (other) bad.push({ line, kind: 'twice', other });
    else codes.push({ card_no, card_pwd });
    lines.set(key, other ?? line);
  }
  return { codes, bad };
}
