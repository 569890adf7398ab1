import { failWith, renderPage, type StubbedAnswers } from '@shop/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './business-page';

const add = 'POST /api/front/business/add';
const open = (api: StubbedAnswers = {}) => renderPage(page, { path: '/business', session: { language: 'en' }, api });
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));

async function fill(content = 'We would like to sell your cards.'): Promise<void> {
  await userEvent.type(screen.getByLabelText('Company'), 'Acme');
  await userEvent.type(screen.getByLabelText('Contact person'), 'Li Lei');
  await userEvent.type(screen.getByLabelText('Phone'), '+86 139 0000 0000');
  await userEvent.selectOptions(screen.getByLabelText('Kind of cooperation'), 'Distribution');
  await userEvent.click(screen.getByLabelText('What you have in mind'));
  await userEvent.paste(content);
}

it('names every missing field beside it and sends nothing', async () => {
  const { requests } = await open();
  await send();
  expect(await screen.findByText('Company must not be empty')).toBeVisible();
  expect(screen.getByText('Phone must not be empty')).toBeVisible();
  expect(screen.getByText('Please choose the kind of cooperation')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Company')).toHaveFocus());
  expect(requests).toHaveLength(0);
});

it('sends once on a double press, without an empty email, and says that it arrived', async () => {
  const { requests } = await open({ [add]: { received: true } });
  await fill('<script>alert(1)</script> 🎮 hello');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Send' }));
  const title = await screen.findByRole('heading', { name: 'We have your message' });
  expect(title).toHaveFocus();
  expect(requests).toHaveLength(1);
  expect(requests[0]?.body).toEqual({
    company: 'Acme',
    contact: 'Li Lei',
    phone: '+86 139 0000 0000',
    type: 'distribution',
    content: '<script>alert(1)</script> 🎮 hello',
  });
});

it('keeps the text when there were too many messages', async () => {
  await open({ [add]: () => failWith(42901, 'Too many messages today') });
  await fill();
  await send();
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many messages today');
  expect(screen.getByLabelText('Company')).toHaveValue('Acme');
});

it('keeps the text when the network fails', async () => {
  await open({ [add]: () => Promise.reject(new Error('offline')) });
  await fill();
  await send();
  expect(await screen.findByRole('alert')).toHaveTextContent('your text is still here');
  expect(screen.getByLabelText('Company')).toHaveValue('Acme');
});

it('puts the server’s refusal beside its field', async () => {
  await open({ [add]: () => failWith(40001, 'Bad field', { errors: { phone: 'No such number' } }) });
  await fill();
  await send();
  expect(await screen.findByText('No such number')).toBeVisible();
  expect(screen.getByLabelText('Phone')).toHaveAttribute('aria-invalid', 'true');
});
