import { pairTexts } from '../pair-texts';

export const { useTexts } = pairTexts('staff-suppliers', {
  values: ['供应商交付的面值', 'Values that suppliers deliver'],
  more: ['更多面值', 'More values'],
  noSuppliers: ['还没有供应商答复', 'No supplier has been asked yet'],
  margin: [
    '售价至少留 {{count}} % 毛利，否则停售。',
    'A value that leaves less than {{count}} % of its price is off sale.',
  ],
  answered: ['{{at}} 更新', 'Updated {{at}}'],
  never: ['还没有答复', 'No answer yet'],
  failing: [
    '{{since}} 起没有可用的答复，成本和库存保持不变：{{fault}}',
    'No usable answer since {{since}}. Costs and stock stay as they were: {{fault}}',
  ],
  ask: ['立即查询', 'Ask now'],
  asking: ['正在查询', 'Asking'],
  empty: ['没有由供应商交付的面值', 'No values are delivered by suppliers'],
  cost: ['成本', 'Cost'],
  price: ['最低售价', 'Lowest price'],
  marginPart: ['毛利率', 'Margin'],
  held: {
    cost: ['停售：成本过高', 'Off sale: costs too much'],
    out: ['供应商缺货', 'Out at the supplier'],
  },
  unknown: ['不明', 'Unknown'],
});
