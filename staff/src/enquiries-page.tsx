import type { StaffEnquiry } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, Checkbox, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { call, post } from './api';
import { Area, Fault, ListState, useFormAct } from './parts';
import { useTexts } from './texts';

/** What businesses have asked. The answer goes out by phone or e-mail; here stands what it was. */
export function EnquiriesPage() {
  const { t } = useTexts();
  const [all, setAll] = useState(false);
  const query = useQuery({
    queryKey: ['enquiries', all],
    queryFn: () => call<StaffEnquiry[]>(`enquiries?all=${all}`),
  });
  const { data } = query;
  return (
    <>
      <h1>{t('enquiries.title')}</h1>
      <Checkbox checked={all} onChange={setAll}>
        {t('enquiries.all')}
      </Checkbox>
      <ListState query={query} isEmpty={data?.length === 0} empty={t('enquiries.empty')} lines={4} />
      <ul className="list">
        {data?.map((one) => (
          <Enquiry key={one.id} enquiry={one} />
        ))}
      </ul>
    </>
  );
}

function Enquiry({ enquiry }: { enquiry: StaffEnquiry }) {
  const { t } = useTexts();
  const [answer, setAnswer] = useState('');
  const [opened, setOpened] = useState<StaffEnquiry>();
  const { busy, fault, act } = useFormAct();
  const open = () => act(async () => setOpened(await call<StaffEnquiry>(`enquiries/${enquiry.id}`)));
  const close = () =>
    act(async () => {
      await post('enquiries/close', { id: enquiry.id, answer: answer.trim() });
      toast.success(t('enquiries.closed'));
      await invalidate(['enquiries']);
    });
  return (
    <li className="card">
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
      {!opened && (
        <Button kind="secondary" loading={busy} onClick={() => void open()}>
          {t('enquiries.open')}
        </Button>
      )}
      {enquiry.closed_at ? (
        <p className="pre">
          <span className="hint">
            {enquiry.closed_by} · {formatDate(enquiry.closed_at)}
          </span>
          <br />
          {enquiry.answer}
        </p>
      ) : (
        <form
          className="deliver"
          onSubmit={(event) => {
            event.preventDefault();
            void close();
          }}
        >
          <Area
            label={t('enquiries.answer')}
            hint={t('enquiries.answerHint')}
            rows={2}
            value={answer}
            onValue={setAnswer}
            maxLength={2000}
            required
          />
          {fault && <Fault>{fault}</Fault>}
          <Button type="submit" kind="secondary" loading={busy} disabled={answer.trim() === ''}>
            {t('enquiries.close')}
          </Button>
        </form>
      )}
    </li>
  );
}
