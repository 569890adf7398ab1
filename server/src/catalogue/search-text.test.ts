import { initialOf, nearMatch, normalise, searchText } from './search-text';

const holds = (name: string, keyword: string) =>
  searchText({ names: [name], aliases: [] }).includes(normalise(keyword));

it.each([
  ['女神异闻录', ['nvshen', 'nushen', 'NÜSHEN', '女神 异闻录']],
  ['旅行青蛙', ['lvxing', 'luxing', 'lxqw']],
  ['侵略如火', ['qinlue', 'qinlve']],
  ['Pokémon™ GO', ['pokemon', 'POKÉMON-GO', 'pokemon go']],
  ['Łódź · Malmö', ['lodz', 'malmo', 'Malmö']],
  ['Straße Ægir Ørsted', ['strasse', 'aegir', 'orsted']],
  ['Đấu Trường', ['dau truong', 'đấu']],
  ['Ōkami', ['okami', 'O\u0304kami']],
  ['İstanbul', ['istanbul', 'ISTANBUL']],
  ['崩坏3', ['崩壞', '崩壊', '崩壞３', 'benghuai3']],
  ['傳說對決', ['传说对决', '傳說', 'chuanshuo', 'csdj']],
  ['梦幻西游', ['夢幻西遊']],
  ['弹弹堂', ['dandantang', 'tantantang', 'ddt']],
  ['重庆长城', ['chongqing', 'zhongqing', 'changcheng', 'zhangcheng']],
  ['乐斗', ['ledou', 'yuedou']],
  ['三国杀', ['三国 杀', '三-国-杀']],
  ['MobileLegends', ['mobile legends', 'mobile‑legends', 'ＭＯＢＩＬＥ']],
  ['🎮 FIFA 2️⃣4️⃣', ['fifa24', '２４', 'fi\u200bfa', '٢٤']],
])('a search text of %s holds what people type for it', (name, keywords) => {
  expect(keywords.filter((keyword) => !holds(name, keyword))).toEqual([]);
});

const isNear = (name: string, keyword: string) => {
  const near = nearMatch(keyword);
  return Boolean(near && new RegExp(near.pattern).test(searchText({ names: [name], aliases: [] })));
};

it.each([
  ['Genshin Impact', ['genshn', 'genshiin', 'genshim', 'gesnhin', 'impcat', 'genshinimpat', 'genshn-impcat']],
  ['Pokémon GO', ['pokmon', 'bokemon', 'opkemon', 'pokemons', 'Pokèmonn GO']],
  ['王者荣耀', ['wangzherongyoa', 'wangzherongya', 'rongyap', '王者荣曜', '忘者', '王者榮曜']],
  ['三国杀 OL', ['sanguosa', 'sanguosah ol']],
  ['崩坏3', ['崩怀3']],
])('a search for %s forgives one error in a word of five letters and characters that sound alike', (name, keywords) => {
  expect(keywords.filter((keyword) => !isNear(name, keyword))).toEqual([]);
});

it.each([
  ['Genshin Impact', ['gnshn', 'impa', 'genshin impaaat', 'ensh']],
  ['FIFA Points 2024', ['points 2025', 'points 204']],
  ['Uno Mobile', ['unp', 'un']],
  ['王者荣耀', ['忘', '网络', '王者荣耀2']],
  ['Steam', ['strbam', 'steampowered']],
])('a search for %s forgives no second error, no other digit and no error in a short word', (name, keywords) => {
  expect(keywords.filter((keyword) => isNear(name, keyword))).toEqual([]);
});

it.each([
  ['重庆', 'C'],
  ['Ōkami', 'O'],
  ['“絕地求生”', 'J'],
  ['3D', '#'],
])('the list shows %s under %s', (name, letter) => expect(initialOf(name)).toBe(letter));
