import { LRUCache } from 'lru-cache';

interface StatementName {
  summary: string;
  text: string;
}

const LONGEST_TEXT = 1_000;
const LITERALS = /'(?:[^']|'')*'|(?<![\w$.])\d+(?:\.\d+)?\b/g;
const TARGET = /\b(?:from|into|update)\s+(?:only\s+)?([a-z_][\w.]*)/i;

const names = new LRUCache<string, StatementName>({ max: 1_000 });

/** Names an SQL statement. Literals in its text are removed; parameters are not part of it. */
export function statementName(statement: string): StatementName {
  const cached = names.get(statement);
  if (cached) return cached;
  const text = statement.replace(LITERALS, '?').replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
  const operation = /^\w+/.exec(text)?.[0].toLowerCase() ?? 'statement';
  const target = TARGET.exec(text)?.[1] ?? /\b([a-z_]\w*)\s*\(/i.exec(text.slice(operation.length))?.[1];
  const name = { summary: target ? `${operation} ${target}` : operation, text };
  names.set(statement, name);
  return name;
}
