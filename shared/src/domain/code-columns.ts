/** What a column of a file of codes holds. */
export type CodeColumn = 'goods' | 'spec' | 'card_no' | 'card_pwd' | 'expire_at';
export type CodeCells = Partial<Record<CodeColumn, string>>;

/** Columns of the sheets of suppliers that say nothing about the code. They are not read. */
const others =
  /^(?:.*(?:序号|行号|编号|订单|商品|名称|面值|面额|规格|价格|金额|币种|状态|备注|数量|批次|类型|日期|时间)|no|id|index|row|(?:order|batch).*|product|name|value|face ?value|price|amount|currency|status|state|remarks?|notes?|comment|quantity|qty|type|date|created.*)$/;
const keys = { goods: /^goods$/, spec: /^spec$/ };
const number = /^(?:(?:[a-z]+ )*[a-z]*card ?(?:no|num|number|id)?|.*(?:卡号码?|卡片?编号)|卡)$/;
const account =
  /^(?:(?!order|batch|phone)(?:[a-z]+ )?[a-z]*(?:number|serial)(?: ?no)?|sn|.*(?:序列号|[账帐][号户]|用户名|邮箱)|account|user ?(?:name)?|e ?mail)$/;
const code =
  /^(?:(?:[a-z]+ )*[a-z]*(?:codes?|keys?|pins?|cdk|voucher|token)|.*(?:卡密|兑换码|激活码|券码|充值码|礼品码))$/;
const password = /^(?:(?:[a-z]+ )?[a-z]*(?:password|passwd|pwd|pass|passcode|secret)|.*(?:密码|密钥|口令))$/;
const expiry =
  /^(?:exp(?:ir(?:es?|y|ation))?(?: ?(?:at|on|date|time))?|valid(?:ity)?(?: ?(?:until|to|thru|through|till|date))?|end ?date|.*(?:有效|到期|过期|截止|失效).*)$/;
const ordinal = /^(?:no|id|.*编号)$/;

/** In the order of preference: 卡密 is the password beside 卡号, and the code itself without. */
const namesOf: Record<CodeColumn, RegExp[]> = {
  goods: [keys.goods],
  spec: [keys.spec],
  expire_at: [expiry],
  card_no: [number, account, code, password, ordinal],
  card_pwd: [password, code],
};

const LONGEST_NAME = 60;
const MOST_COLUMNS = 40;
const plainName = (name: string) =>
  name
    .slice(0, LONGEST_NAME)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\(.*?\)/g, '')
    .replace(/[\s_.:*#-]+/g, ' ')
    .trim();

/** Whether a cell is the name of a column that holds a number or a password. */
const isCodeColumn = (name: string): boolean =>
  [number, account, code, password].some((names) => names.test(plainName(name)));

const isColumn = (name: string) =>
  isCodeColumn(name) || [others, expiry, ...Object.values(keys)].some((names) => names.test(plainName(name)));

export interface CodeHeader {
  columns: Array<CodeColumn | undefined>;
  /** Names that are not understood. */
  unknown: string[];
}

/** The columns that a header names, in Chinese or English; undefined if the cells are no header. */
export function headerOf(cells: readonly string[]): CodeHeader | undefined {
  if (cells.length > MOST_COLUMNS) return undefined;
  const names = cells.map(plainName);
  const foreign = cells.filter((cell, at) => names[at] && !isColumn(cell));
  const hasNumber = cells.some(isCodeColumn) || (names.some((name) => ordinal.test(name)) && cells.some(isColumn));
  if (!hasNumber || foreign.length * 2 > names.filter(Boolean).length || foreign.some((name) => /\d/.test(name)))
    return undefined;
  const columns: CodeHeader['columns'] = cells.map(() => undefined);
  const assign = (column: CodeColumn) => {
    for (const preference of namesOf[column]) {
      const at = names.findIndex((name, index) => columns[index] === undefined && preference.test(name));
      if (at < 0) continue;
      columns[at] = column;
      return preference;
    }
    return undefined;
  };
  const [, , , numberNames] = (Object.keys(namesOf) as CodeColumn[]).map(assign);
  if (!numberNames) return undefined;
  // Beside a password, 编号 may be the number of the card or of the line.
  const unclear = numberNames === password ? cells.filter((_, at) => ordinal.test(names[at] ?? '')) : [];
  return { columns, unknown: [...foreign, ...unclear] };
}
