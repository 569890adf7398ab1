import type { AuditQuery, StaffAuditEntry } from '@shop/backoffice/wire';
import { listQueryOptions, useListQuery } from '@shop/shared/query';
import { useState } from 'react';
import { api, useApi } from '../api';
import { differences } from '../edits/differences';
import { Paged, TextRows } from '../kit/list-table';
import { Facts, Field, List, Select, TimedLine } from '../kit/parts';
import { pairTexts } from '../pair-texts';

/** An empty text is no condition. */
const noFilter = { user: '', kind: '', from: '', to: '' };
type Filter = typeof noFilter;

const auditQuery = (filter: Filter) => ({
  ...listQueryOptions(['audit', filter], async (page, cursor) => {
    const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as AuditQuery;
    const { entries, next } = await api('GET audit', { ...chosen, ...(cursor && { before: Number(cursor) }) });
    return { list: entries, total: 0, page, limit: entries.length, has_more: next !== null, next: next?.toString() };
  }),
  // Each visit starts with the newest entries.
  gcTime: 0,
});

export function AuditPage() {
  const { t } = useTexts();
  const [filter, setFilter] = useState(noFilter);
  const { user, kind, from, to } = filter;
  const list = useListQuery(auditQuery(filter));
  const { data: people = [] } = useApi('GET people', {});
  const change = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  const names = [{ value: '', label: t('allUsers') }, ...people.map(({ name }) => ({ value: name, label: name }))];
  const kindOptions = [
    { value: '', label: t('all') },
    ...kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
  ];
  return (
    <>
      <h1>{t('nav.audit')}</h1>
      <div className="card row">
        <Select label={t('user')} value={user} options={names} onValue={(user) => change({ user })} />
        <Select<string> label={t('kind')} value={kind} options={kindOptions} onValue={(kind) => change({ kind })} />
        <Field label={t('from')} type="date" value={from} max={to} onValue={(from) => change({ from })} />
        <Field label={t('to')} type="date" value={to} min={from} onValue={(to) => change({ to })} />
      </div>
      <Paged list={list}>
        {(query) => (
          <List query={query} empty={t('none')}>
            {(entry) => <Entry key={entry.id} entry={entry} />}
          </List>
        )}
      </Paged>
    </>
  );
}

/** A price list may change thousands of values. */
const MOST_SHOWN = 100;

function Entry({ entry }: { entry: StaffAuditEntry }) {
  const { t } = useTexts();
  const { actor, action, subject, network, user_id } = entry;
  const isOrder = /^(order|refund)\./.test(action);
  const changes = differences(entry.before, entry.after);
  const rest = differences({}, entry.detail);
  return (
    <article className="card audit" aria-label={action}>
      <TimedLine at={entry.at}>{action}</TimedLine>
      <p className="line hint">
        <span>{actor.replace(/ \(staff\)$/, '')}</span>
        <span>{network?.replace(/\/(32|128)$/, '')}</span>
      </p>
      {(subject !== '' || user_id !== null) && (
        <p className="row">
          {isOrder ? <a href={`#/order/${subject}`}>{subject}</a> : subject}
          {user_id !== null && <a href={`#/shopper/${user_id}`}>{t('buyer')}</a>}
        </p>
      )}
      {rest.length > 0 && <Facts of={rest.map(({ path, texts }) => [path, texts[1]])} />}
      {changes.length > 0 && (
        <TextRows
          label={action}
          head={[t('changedField'), t('before'), t('after')]}
          rows={changes.slice(0, MOST_SHOWN).map(({ path, texts }) => [path, ...texts])}
        />
      )}
      {changes.length > MOST_SHOWN && <p className="hint">{t('notShown', { count: changes.length - MOST_SHOWN })}</p>}
    </article>
  );
}

const kindTexts = {
  session: ['登录', 'Sign-ins'],
  order: ['订单', 'Orders'],
  refund: ['退款审批', 'Refund approvals'],
  user: ['买家资料', 'Buyers'],
  staff: ['店员账号', 'Staff accounts'],
  goods: ['商品', 'Products'],
  prices: ['价格表', 'Price lists'],
  codes: ['卡密', 'Codes'],
  stock: ['库存', 'Stock'],
  supplier: ['供应商', 'Suppliers'],
  coupon: ['优惠券', 'Coupons'],
  hold: ['核查规则', 'Rules of checks'],
  invitation: ['邀请', 'Invitations'],
  article: ['文章', 'Articles'],
  banner: ['轮播图', 'Banners'],
  module: ['首页模块', 'Home page'],
  enquiry: ['咨询', 'Enquiries'],
  audit: ['查看本记录', 'Views of this log'],
  wallet: ['钱包', 'Wallets'],
  payment: ['付款', 'Payments'],
  account: ['买家账号', 'Buyers’ accounts'],
  closure: ['等待注销的账号', 'Accounts being closed'],
  config: ['商店设置', 'Shop settings'],
  release: ['发布', 'Releases'],
  chat: ['群通知', 'Group chats'],
  level: ['会员等级', 'Customer levels'],
  keys: ['密钥轮换', 'Key rotation'],
} as const;

const kinds = Object.keys(kindTexts) as Array<keyof typeof kindTexts>;

const { useTexts } = pairTexts('staff-audit', {
  user: ['人员', 'Staff member'],
  allUsers: ['全部人员', 'Everyone'],
  kind: ['类别', 'Kind'],
  all: ['全部类别', 'All kinds'],
  none: ['没有符合条件的记录', 'No matching entries'],
  notShown: ['还有 {{count}} 项未显示', '{{count}} more not shown', '1 more not shown'],
  buyer: ['相关买家', 'Buyer'],
  kinds: kindTexts,
});
