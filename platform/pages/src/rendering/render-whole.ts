/** A public page, rendered with the answers of a running site to the calls that it asks for. */
import type { ReleaseSet, RenderedPage, RenderRequest } from '@platform/releases';
import type { IsolatedRenderer, RenderFault } from './renderer';

const ROUNDS = 3;
const ANSWER_MS = 5_000;

export interface WholePage {
  page?: RenderedPage;
  fault?: RenderFault;
}

/** `against`: the running site; null renders the page as it is before the answers. */
export async function renderWhole(
  renderer: IsolatedRenderer,
  set: ReleaseSet,
  request: Omit<RenderRequest, 'answers'>,
  against: string | null,
): Promise<WholePage> {
  const answers: Record<string, unknown> = {};
  for (let round = 1; ; round += 1) {
    let fault: RenderFault | undefined;
    const page = await renderer.render(set, { ...request, answers }, (found) => {
      fault = found;
    });
    const wanted = against && page ? page.wanted.filter((address) => !(address in answers)) : [];
    if (fault || wanted.length === 0 || round === ROUNDS) return { page, fault };
    for (const address of wanted) answers[address] = await ask(`${against}${address}`, request);
  }
}

async function ask(
  url: string,
  { language, currency }: Pick<RenderRequest, 'language' | 'currency'>,
): Promise<unknown> {
  const headers = { Locale: language, Currency: currency };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    return await response.json();
  } catch {
    // The page is rendered without it.
    return undefined;
  }
}
