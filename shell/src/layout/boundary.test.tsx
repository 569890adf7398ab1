import { configureHttp, type HttpHandlers, retryImport } from '@shop/shared/http';
import { render, screen, waitFor } from '@testing-library/react';
import { lazy, type ReactElement } from 'react';
import { type Shell, ShellProvider } from '../shell-context';
import { PartBoundary } from './boundary';

beforeEach(() => void jest.spyOn(console, 'error').mockImplementation());
afterEach(() => jest.restoreAllMocks());

const show = (load: () => Promise<{ default: () => ReactElement }>, isOutdated: boolean) => {
  const Part = lazy(() => retryImport(load, 1));
  const reload = jest.fn();
  const releases = { check: jest.fn(async () => {}), isOutdated };
  render(
    <ShellProvider value={{ releases } as unknown as Shell}>
      <p>the page</p>
      <PartBoundary reload={reload}>
        <Part />
      </PartBoundary>
    </ShellProvider>,
  );
  return { reload, releases };
};

it('a lazily loaded part of a deleted release is no error while the document reloads', async () => {
  const onCodeLost = jest.fn(async () => true);
  configureHttp({ onCodeLost } as Partial<HttpHandlers> as HttpHandlers);
  const { reload } = show(() => Promise.reject(new Error('404')), true);
  await waitFor(() => expect(onCodeLost).toHaveBeenCalled());
  configureHttp({} as HttpHandlers);
  expect(screen.getByText('the page')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

it('a lazily loaded part of the shell is requested again when its chunk does not load', async () => {
  const load = jest.fn().mockRejectedValueOnce(new Error('500')).mockRejectedValueOnce(new Error('500'));
  load.mockResolvedValue({ default: () => <p>the dialog</p> });
  show(load, false);
  await screen.findByText('the dialog');
  expect(load).toHaveBeenCalledTimes(3);
});

it.each([
  ['left out, with a notice, when its chunk never loads', false],
  ['left out, and the document reloads, when another release is live', true],
])('a lazily loaded part of the shell is %s', async (_, isOutdated) => {
  const { reload, releases } = show(() => Promise.reject(new Error('404')), isOutdated);
  expect(await screen.findByRole('alert')).toBeTruthy();
  await waitFor(() => expect(releases.check).toHaveBeenCalled());
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(isOutdated ? 1 : 0));
  expect(screen.getByText('the page')).toBeTruthy();
});
