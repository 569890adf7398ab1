import * as service from '../../content/enquiries.service';
import type { AppContext } from '../../context';
import { StaffError } from './common';

export const enquiries = ({ db }: AppContext, all: boolean) => service.listEnquiries(db, all);

export async function closeEnquiry({ db }: AppContext, id: string, answer: string): Promise<void> {
  if (!/^\d{1,15}$/.test(id)) throw new StaffError(`"${id}" is not the number of an enquiry.`);
  const closed = await db.withTransaction((sql) => service.closeEnquiry(sql, Number(id), answer));
  if (!closed) throw new StaffError(`There is no open enquiry ${id}.`);
}
