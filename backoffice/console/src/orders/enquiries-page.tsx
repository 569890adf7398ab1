import type { StaffEnquiry } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Checkbox, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { enquiryRules } from '../generated/field-rules';
import { ActionButton, ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { List, Note } from '../kit/parts';
import { pairTexts } from '../pair-texts';

export function EnquiriesPage() {
  const { t } = useTexts();
  const [all, setAll] = useState(false);
  return (
    <>
      <h1>{t('nav.enquiries')}</h1>
      <Checkbox checked={all} onChange={setAll}>
        {t('all')}
      </Checkbox>
      <List query={useApi('GET enquiries', { all })} empty={t('empty')}>
        {(enquiry) => <Enquiry key={enquiry.id} enquiry={enquiry} />}
      </List>
    </>
  );
}

const answerField: FieldSpec<{ answer: string }, 'answer' | 'answerHint'>[] = [
  { kind: 'area', name: 'answer', label: 'answer', hint: 'answerHint', ...enquiryRules.answer },
];

function Enquiry({ enquiry }: { enquiry: StaffEnquiry }) {
  const { t } = useTexts();
  const [opened, setOpened] = useState<StaffEnquiry>();
  const open = async () => setOpened(await api('GET enquiries/:id', { id: enquiry.id }));
  return (
    <article className="card">
      <div className="row">
        <h2 className="grow">{enquiry.company}</h2>
        <Tag>{enquiry.type}</Tag>
      </div>
      <p className="pre">{enquiry.content}</p>
      <p>
        {enquiry.contact} · {opened ? <a href={`tel:${opened.phone}`}>{opened.phone}</a> : enquiry.phone}
        {enquiry.email && ' · '}
        {opened ? <a href={`mailto:${encodeURIComponent(opened.email)}`}>{opened.email}</a> : enquiry.email}
        <br />
        <span className="hint">{formatDate(enquiry.created_at)}</span>
      </p>
      {!opened && <ActionButton action={open}>{t('open')}</ActionButton>}
      {enquiry.closed_at ? (
        <Note by={enquiry.closed_by} at={enquiry.closed_at} text={enquiry.answer} />
      ) : (
        <ActionForm
          className="stack starts"
          fields={answerField}
          t={t}
          start={{ answer: '' }}
          draft={`enquiries/${enquiry.id}`}
          submit={t('close')}
          kind="secondary"
          done={t('closed')}
          changes={['enquiries']}
          onSubmit={({ answer }) => api('POST enquiries/close', { id: enquiry.id, answer: answer.trim() })}
        />
      )}
    </article>
  );
}

const { useTexts } = pairTexts('staff-enquiries', {
  all: ['也显示已处理的', 'Include answered'],
  empty: ['没有待回复的咨询', 'No open enquiries'],
  open: ['显示电话和邮箱（会留下记录）', 'Show phone and email (recorded)'],
  answer: ['回复内容', 'Answer'],
  answerHint: ['请用电话或邮件回复对方，这里记下说了什么', 'Reply by phone or email, and note here what you said'],
  close: ['已回复', 'Answered'],
  closed: ['已记录', 'Noted'],
});
