import { pairTexts } from '../pair-texts';

export const { useTexts } = pairTexts('staff-enquiries', {
  title: ['商务咨询', 'Business enquiries'],
  all: ['也显示已处理的', 'Include answered'],
  empty: ['没有待回复的咨询', 'No open enquiries'],
  open: ['显示电话和邮箱（会留下记录）', 'Show phone and email (recorded)'],
  answer: ['回复内容', 'Answer'],
  answerHint: ['请用电话或邮件回复对方，这里记下说了什么', 'Reply by phone or email, and note here what you said'],
  close: ['已回复', 'Answered'],
  closed: ['已记录', 'Noted'],
});
