import type { RenderedPage } from '@platform/releases';

/** A page may make more calls once it has the first answers. A draft counts as a round. */
const MAX_ROUNDS = 4;

/**
 * Renders a page until it has the answers to all its calls. Resolves to undefined when it cannot be rendered now.
 * @param calls addresses whose answers are already loaded
 * @param load adds the answers to more calls; resolves to false when the API cannot answer now
 */
export async function renderWithAnswers(
  calls: readonly string[],
  load: (calls: readonly string[]) => Promise<boolean>,
  render: (round: number) => Promise<RenderedPage | undefined>,
): Promise<{ page: RenderedPage; calls: readonly string[] } | undefined> {
  const requested = new Set(calls);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const page = await render(round);
    if (!page) return undefined;
    const missing = page.wanted.filter((call) => !requested.has(call));
    if (page.html !== '' && (missing.length === 0 || round === MAX_ROUNDS)) return { page, calls: [...requested] };
    for (const call of missing) requested.add(call);
    if (!(await load(missing))) return undefined;
  }
  return undefined;
}
