import { arriving } from '@shop/shared/http';
import { render, screen, waitFor } from '@testing-library/react';
import { lazy, type ReactElement, Suspense } from 'react';
import { PartBoundary } from './part-boundary';

describe('a part of the shell whose code comes later', () => {
  let silenced: jest.SpyInstance;
  beforeEach(() => {
    silenced = jest.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => silenced.mockRestore());

  const show = (load: () => Promise<{ default: () => ReactElement }>, needsFullLoad: boolean) => {
    const Part = lazy(() => arriving(load, 1));
    const reload = jest.fn();
    const releases = { check: jest.fn(async () => {}), needsFullLoad };
    render(
      <>
        <p>the page</p>
        <PartBoundary releases={releases} reload={reload}>
          <Suspense fallback={null}>
            <Part />
          </Suspense>
        </PartBoundary>
      </>,
    );
    return { reload, releases };
  };

  it('is asked for again when it does not arrive', async () => {
    const load = jest.fn().mockRejectedValueOnce(new Error('500')).mockRejectedValueOnce(new Error('500'));
    load.mockResolvedValue({ default: () => <p>the dialog</p> });
    show(load, false);
    await screen.findByText('the dialog');
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('is left out when it never arrives, and the page lives on', async () => {
    const { reload, releases } = show(() => Promise.reject(new Error('404')), false);
    await waitFor(() => expect(releases.check).toHaveBeenCalled());
    expect(screen.getByText('the page')).toBeTruthy();
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
  });

  it('comes with the shell that is live by now, when its own is gone', async () => {
    const { reload } = show(() => Promise.reject(new Error('404')), true);
    await waitFor(() => expect(reload).toHaveBeenCalled());
  });
});
