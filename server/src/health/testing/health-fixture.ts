import type { Sample } from '@platform/releases/testing';
import { HealthFixture } from '@platform/watch/testing';
import type { TestApp } from '../../../test/support/test-app';
import { healthStore } from '../health-store';

/** On the database of `testApp`, which is emptied of counts first. */
export async function openHealth({ db }: TestApp, remote: Omit<Sample, 'text'> = {}): Promise<HealthFixture> {
  await db.script(
    'truncate release_periods, release_minutes, release_votes, release_vitals, release_errors, release_visits, release_steps, release_webhooks, release_events, release_changes_told',
  );
  const pass = (minutes: number) => {
    const by = `interval '${minutes} minutes'`;
    return db.script(`
      update release_periods set since = since - ${by};
      update release_votes set at = at - ${by};
      update release_minutes set minute = minute - ${by} - interval '1 year';
      update release_minutes set minute = minute + interval '1 year'`);
  };
  return HealthFixture.open({ health: healthStore(db), pass }, remote);
}
