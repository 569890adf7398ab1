import { differences, isChanged, rebase } from './differences';

const base = { name: { zh: '原', en: 'old' }, limits: { min: 1, max: 9 }, tags: ['a'], price: null as string | null };

it('differences lists the paths whose values differ, and none that is equal or empty everywhere', () => {
  const mine = { ...base, name: { ...base.name, en: 'mine' }, tags: ['a', 'b'] };
  expect(differences(base, mine)).toEqual([
    { path: 'name.en', texts: ['old', 'mine'] },
    { path: 'tags.1', texts: ['', 'b'] },
  ]);
  expect(differences(base, { ...base, price: '' })).toEqual([]);
  expect([isChanged(base, structuredClone(base)), isChanged(base, mine)]).toEqual([false, true]);
});

it('rebase keeps my changes, also in two languages of one text, and their changes elsewhere', () => {
  const theirs = { ...base, name: { zh: '新', en: 'theirs' }, limits: { min: 2, max: 9 } };
  const mine = { ...base, name: { ...base.name, en: 'mine' }, limits: { min: 1, max: 5 }, tags: ['c'] };
  expect(rebase(base, mine, theirs)).toEqual({
    name: { zh: '新', en: 'mine' },
    limits: { min: 2, max: 5 },
    tags: ['c'],
    price: null,
  });
});
