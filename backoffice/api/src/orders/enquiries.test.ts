import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { lastEntry, signedInStaff } from '../testing/staff';
import { enquiryBody } from '../testing/values';
import type { StaffEnquiry } from './enquiries.routes';

onEveryDatabase('enquiries at /staff', (testApp) => {
  it('enquiries wait with the oldest first, masked until one is opened; a staff member closes it with its answer, once and audited', async () => {
    const ann = await signedInStaff(testApp(), 'seller');
    for (const company of [enquiryBody.company, 'Second'])
      expect((await testApp().post('business/add', { ...enquiryBody, company })).code).toBe(200);
    const open = async (query = '') => (await ann.get(`enquiries${query}`)).data as StaffEnquiry[];
    const [first, second] = await open();
    expect([first?.company, second?.company]).toEqual([enquiryBody.company, 'Second']);
    const masked = { phone: '+86****1111', email: 'fa***@mail.example' };
    expect(first).toMatchObject({ ...masked, content: enquiryBody.content, closed_at: null });
    expect((await ann.get(`enquiries/${first?.id}`)).data).toMatchObject(enquiryBody);
    expect((await ann.get('enquiries/999999999')).code).toBe(404);
    const close = { id: first?.id, answer: 'sent the price list by e-mail' };
    expect((await ann.post('enquiries/close', { ...close, answer: '' })).code).toBe(40001);
    expect((await ann.post('enquiries/close', close)).code).toBe(200);
    expect((await ann.post('enquiries/close', close)).code).toBe(404);
    expect((await open()).map((enquiry) => enquiry.company)).toEqual(['Second']);
    expect(await open('?all=true')).toContainEqual(
      expect.objectContaining({ id: first?.id, answer: close.answer, closed_by: ann.actor }),
    );
    const entry = { actor: ann.actor, subject: String(first?.id), detail: { answer: close.answer } };
    expect(await lastEntry(testApp(), "action = 'enquiry.close'")).toMatchObject(entry);
  });
});
