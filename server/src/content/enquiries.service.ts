import { addEntry, staffActor } from '../platform/audit/audit';
import type { Sql } from '../platform/db/sql';

interface EnquiryRow {
  id: number;
  created_at: Date;
  company: string;
  contact: string;
  phone: string;
  email: string;
  type: string;
  content: string;
  closed_at: Date | null;
  closed_by: string;
  answer: string;
}

const columns = 'id, created_at, company, contact, phone, email, type, content, closed_at, closed_by, answer';

/** Open enquiries, oldest first; with `all` also closed ones, newest first. The access is audited. */
export async function listEnquiries(sql: Sql, all: boolean): Promise<EnquiryRow[]> {
  const rows = await sql.rows<EnquiryRow>(
    `select ${columns}
       from business_enquiries where $1 or closed_at is null order by (closed_at is null) desc, case when $1 then -id else id end limit 200`,
    [all],
  );
  await addEntry(sql, { ...staffActor(), action: 'enquiry.list', detail: { enquiries: rows.map(({ id }) => id) } });
  return rows;
}

/** Returns the whole phone and email address; the access is audited. undefined for an unknown number. */
export async function openEnquiry(sql: Sql, id: number): Promise<EnquiryRow | undefined> {
  const row = await sql.row<EnquiryRow>(`select ${columns} from business_enquiries where id = $1`, [id]);
  if (row) await addEntry(sql, { ...staffActor(), action: 'enquiry.view', subject: String(id) });
  return row;
}

/** `answer` is the reply, or the reason why there was none. Returns false if there is no open enquiry of that number. */
export async function closeEnquiry(sql: Sql, id: number, answer: string): Promise<boolean> {
  const closed = await sql.run(
    'update business_enquiries set closed_at = clock_timestamp(), closed_by = $2, answer = $3 where id = $1 and closed_at is null',
    [id, staffActor().actor, answer],
  );
  if (!closed) return false;
  await addEntry(sql, { ...staffActor(), action: 'enquiry.close', subject: String(id), detail: { answer } });
  return true;
}
