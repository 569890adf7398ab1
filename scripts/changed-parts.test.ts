import { partsOf } from './changed-parts.mjs';

it.each<[string, string[], string[]]>([
  ['a document', ['docs/performance.md'], ['check']],
  ['the document that is compared with the code', ['docs/product.md'], ['check', 'units', 'server']],
  ['a page of a remote', ['mfe-orders/src/order/order-page.tsx'], ['check', 'units', 'releases', 'e2e']],
  ['a domain of the server', ['server/src/orders/place-order.service.ts'], ['check', 'server', 'e2e']],
  ['a page of the console', ['backoffice/console/src/app.tsx'], ['check', 'units', 'server', 'e2e']],
  ['the release contract', ['platform/releases/src/contract/map.ts'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['an end-to-end test', ['e2e/src/pages.test.ts', 'README.md'], ['check', 'e2e']],
  ['a measurement', ['bench/src/load.ts'], ['check']],
  ['the lockfile', ['package-lock.json'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['a manifest', ['deploy/kubernetes/shop.yaml'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['a workflow', ['.github/workflows/ci.yml'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['nothing', [], []],
])('%s runs the parts that it touches', (_, files, expected) => {
  expect(partsOf(files)).toEqual(expected);
});
