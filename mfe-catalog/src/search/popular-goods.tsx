import { useQuery } from '@shop/shared/query';
import { Section } from '@shop/shared/ui';
import { modulesQuery } from '../home/home.queries';
import { RankingTemplate } from '../home/templates/ranking-template';
import '../home/home.css';

/** Module template of a ranked list (docs/product.md#catalogue). */
const rankingTemplate = 5;

/** The home page's ranking, for those who have no word to search for yet; left out where the shop has none. */
export function PopularGoods() {
  const { data } = useQuery(modulesQuery);
  const ranking = data?.find(({ template }) => template === rankingTemplate);
  if (!ranking) return null;
  return (
    <Section title={ranking.title}>
      <RankingTemplate module={ranking} />
    </Section>
  );
}
