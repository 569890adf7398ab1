import { differences, isChanged, rebase } from './differences';

const base = { name: { zh: '原', en: 'old' }, limits: { min: 1, max: 9 }, tags: ['a'], price: null as string | null };

it('names what differs by its path, and nothing that is the same or empty in all', () => {
  const mine = { ...base, name: { ...base.name, en: 'mine' }, tags: ['a', 'b'] };
  expect(differences(base, mine)).toEqual([
    { path: 'name.en', texts: ['old', 'mine'] },
    { path: 'tags.1', texts: ['', 'b'] },
  ]);
  expect(differences(base, { ...base, price: '' })).toEqual([]);
  expect([isChanged(base, structuredClone(base)), isChanged(base, mine)]).toEqual([false, true]);
});

it('keeps my changes upon theirs, also in two languages of one text, and theirs where I changed nothing', () => {
  const theirs = { ...base, name: { zh: '新', en: 'theirs' }, limits: { min: 2, max: 9 } };
  const mine = { ...base, name: { ...base.name, en: 'mine' }, limits: { min: 1, max: 5 }, tags: ['c'] };
  expect(rebase(base, mine, theirs)).toEqual({
    name: { zh: '新', en: 'mine' },
    limits: { min: 2, max: 5 },
    tags: ['c'],
    price: null,
  });
});
