import { schemaOrgFaults } from './schema-org';

const offer = { '@type': 'Offer', price: '6.00', priceCurrency: 'CNY', availability: 'https://schema.org/InStock' };
const faultsOf = (node: object) => schemaOrgFaults({ '@context': 'https://schema.org', ...node });

describe('the check of structured data', () => {
  it('accepts what schema.org defines', () => {
    expect(faultsOf({ '@type': 'Product', name: 'A', image: ['https://shop.example/a.png'], offers: offer })).toEqual(
      [],
    );
    expect(
      faultsOf({
        '@graph': [
          { '@type': 'Organization', '@id': '#us', name: 'Us' },
          { '@type': 'WebSite', name: 'Us', publisher: { '@id': '#us' } },
        ],
      }),
    ).toEqual([]);
  });

  it.each([
    ['a misspelt property', { '@type': 'Product', nmae: 'A' }, ['Product.nmae is no property']],
    ['a property of another type', { '@type': 'Product', price: '6.00' }, ['Product has no property price']],
    ['an unknown type', { '@type': 'Prodcut', name: 'A' }, ['has no known type']],
    ['a thing of the wrong type', { '@type': 'Product', offers: { '@type': 'WebSite' } }, ['may not be WebSite']],
    ['a text where a thing belongs', { '@type': 'Product', offers: '6.00' }, ['Product.offers may not be "6.00"']],
    ['an unknown value', { ...offer, availability: 'https://schema.org/InStok' }, ['Offer.availability may not be']],
    ['a value of another list', { ...offer, itemCondition: 'https://schema.org/InStock' }, ['Offer.itemCondition']],
    ['a number where a thing belongs', { '@type': 'ListItem', item: 4 }, ['ListItem.item may not be 4']],
    ['an empty text', { '@type': 'Product', name: '' }, ['Product.name may not be ""']],
    ['a fault deep inside', { '@type': 'Product', offers: { ...offer, pirce: '1' } }, ['Offer.pirce is no property']],
    ['a reference to nothing', { '@type': 'WebSite', publisher: { '@id': '#who' } }, ['may not be undefined']],
  ])('refuses %s', (_, node, [fault = '']) => {
    expect(faultsOf(node).join('\n')).toContain(fault);
  });

  it('refuses another vocabulary', () => {
    expect(schemaOrgFaults({ '@type': 'Product' })).toEqual(['@context is not schema.org']);
  });
});
