import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { lastEntry, signedInStaff } from '../testing/staff';
import type { StaffEnquiry } from './enquiries.routes';

onEveryDatabase('enquiries at /staff', (testApp) => {
  it('enquiries wait with the oldest first until a staff member closes one with its answer, once and audited', async () => {
    const ann = await signedInStaff(testApp(), 'seller');
    const enquiry = {
      company: '某公司',
      contact: '王芳',
      phone: '13900001111',
      type: 'wholesale',
      content: '批量采购',
    };
    for (const company of [enquiry.company, 'Second'])
      expect((await testApp().post('business/add', { ...enquiry, company })).code).toBe(200);
    const open = async (query = '') => (await ann.get(`enquiries${query}`)).data as StaffEnquiry[];
    const [first, second] = await open();
    expect([first?.company, second?.company]).toEqual([enquiry.company, 'Second']);
    expect(first).toMatchObject({ phone: '139****1111', content: enquiry.content, closed_at: null });
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
