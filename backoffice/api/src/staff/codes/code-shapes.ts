/** What codes of one value look like: how long their parts are, what parts them, and which kinds of characters they have. */

interface Shown {
  card_no: string;
  card_pwd: string;
}

const kinds = { digit: /\d/, upper: /\p{Lu}/u, lower: /\p{Ll}/u, letter: /\p{Lo}/u };

/** "AB12-34" is "xxxx-xx": codes have other letters, but their parts are as long. */
const skeletonOf = (text: string) => text.replace(/[\p{L}\d]/gu, 'x');
const kindsOf = (text: string) => Object.entries(kinds).flatMap(([kind, test]) => (test.test(text) ? [kind] : []));

class Shapes {
  readonly #skeletons = new Set<string>();
  readonly #kinds = new Set<string>();

  add(text: string): void {
    this.#skeletons.add(skeletonOf(text));
    for (const kind of kindsOf(text)) this.#kinds.add(kind);
  }

  has(text: string): boolean {
    return this.#skeletons.has(skeletonOf(text)) && kindsOf(text).every((kind) => this.#kinds.has(kind));
  }
}

/** Says whether a code looks like one of those that are known; where none is, every code does. */
export function likeness(known: readonly Shown[]): (code: Shown) => boolean {
  if (known.length === 0) return () => true;
  const [numbers, passwords] = [new Shapes(), new Shapes()];
  for (const { card_no, card_pwd } of known) {
    numbers.add(card_no);
    passwords.add(card_pwd);
  }
  return ({ card_no, card_pwd }) => numbers.has(card_no) && passwords.has(card_pwd);
}
