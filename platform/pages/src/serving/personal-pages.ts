/** Draws pages with a signed-in person's answers, for this person alone. Nothing of them is kept here. */

import type { RenderedPage, RenderRequest } from '@platform/releases';
import type { DrawnPage } from '../render/rendered-page';
import type { PageRendering } from '../rendering';
import { firstCalls, type PageQuestion, ROUNDS } from './drawn-pages';

/** The person to whose browser a document is sent. */
export interface Person {
  /** Names the session: what has drawn for one draws for no other. */
  session: string;
  /** First letters of the session's token, by which a browser knows its own. */
  mark: string;
  currency: RenderRequest['currency'];
  /** Addresses of the calls that the shell makes on every page of theirs. */
  shellCalls: readonly string[];
  /** What the API answers them, as their own call gets it; undefined for a call that is left to the browser. May fail. */
  ask(address: string): Promise<unknown>;
}

export type PersonalQuestion = Omit<PageQuestion, 'key' | 'calls'> & { person: Person };

/** Undefined where the page cannot be drawn now: the document then holds nothing of the person. */
export async function drawPersonalPage(
  rendering: Pick<PageRendering, 'page'>,
  { map, visitor, route, path, language, theme, onFault, person }: PersonalQuestion,
): Promise<DrawnPage | undefined> {
  const answers: Record<string, unknown> = {};
  const asked = new Set<string>();
  const askAll = async (addresses: readonly string[]) => {
    const envelopes = await Promise.all(addresses.map(async (one) => [one, await person.ask(one)] as const));
    for (const address of addresses) asked.add(address);
    for (const [address, envelope] of envelopes) if (envelope !== undefined) answers[address] = envelope;
  };
  const draw = (isDraft: boolean): Promise<RenderedPage | undefined> =>
    rendering.page(
      map,
      visitor,
      { path, language, currency: person.currency, theme, answers, isSignedIn: true, isDraft },
      onFault,
      person.session,
    );

  await askAll([...person.shellCalls, ...firstCalls(route, path)]);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const page = await draw(round === 1);
    if (!page) return undefined;
    const more = page.wanted.filter((one) => !asked.has(one));
    const { html, queryState, image } = page;
    if (html !== '' && (more.length === 0 || round === ROUNDS))
      return { html, queryState, image, path: path.split('?')[0] as string, language, theme, person: person.mark };
    await askAll(more);
  }
  return undefined;
}
