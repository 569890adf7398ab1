import { staffActor } from '../../audit/audit';
import type { AppContext } from '../../context';
import { audit, StaffError } from './common';

/** Those that wait for an answer, oldest first; with `all` the others too, newest first. */
export const enquiries = ({ db }: AppContext, all: boolean) =>
  db.rows(
    `select id, created_at, company, contact, phone, email, type, content, closed_at, closed_by, answer
       from business_enquiries where $1 or closed_at is null order by (closed_at is null) desc, case when $1 then -id else id end limit 200`,
    [all],
  );

/** Closes an enquiry; `answer` says what was replied, or why nothing was. */
export async function closeEnquiry({ db }: AppContext, id: string, answer: string): Promise<void> {
  if (!/^\d{1,15}$/.test(id)) throw new StaffError(`"${id}" is not the number of an enquiry.`);
  await db.withTransaction(async (sql) => {
    const closed = await sql.run(
      'update business_enquiries set closed_at = clock_timestamp(), closed_by = $2, answer = $3 where id = $1 and closed_at is null',
      [id, staffActor().actor, answer],
    );
    if (!closed) throw new StaffError(`There is no open enquiry ${id}.`);
    await audit(sql, 'enquiry.close', id, { answer });
  });
}
