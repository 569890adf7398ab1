import { GoodsStatus } from '@shop/shared/domain';

/** The most goods that a keyword finds: ten pages. */
const MOST_FOUND = 200;

/**
 * SQL of the goods that a keyword matches: (goods_id, rank). A whole word ranks first ("ys" is 原神 before it is the middle of
 * PlayStation), then the start of one. The ranks exclude each other, so PostgreSQL reads them in turn and stops at the limit: a word
 * that every goods carries costs no more in a larger shop.
 */
export function keywordMatch(keyword: string, value: (one: unknown) => string): string {
  const letters = [...keyword];
  const pieces =
    letters.length <= 3 ? [keyword] : letters.slice(2).map((_one, at) => letters.slice(at, at + 3).join(''));
  const word = value(keyword);
  const whole = `strpos(search_text, '|' || ${word} || '|') > 0`;
  const atStart = `strpos(search_text, '|' || ${word}) > 0`;
  const tier = (rank: number, grams: string[], holds: string) =>
    `(select id as goods_id, ${rank} as rank from goods where search_grams @> ${value(grams)}::text[]
         and status <> ${GoodsStatus.OffShelf} and ${holds} limit ${MOST_FOUND})`;
  const tiers = [
    tier(0, [`=${keyword}`], whole),
    tier(1, [`^${letters.slice(0, 3).join('')}`, ...pieces], `${atStart} and not (${whole})`),
    tier(2, pieces, `strpos(search_text, ${word}) > 0 and not (${atStart})`),
  ];
  return `(${tiers.join(' union all ')} limit ${MOST_FOUND}) matched`;
}
