import type { AppConfig as WireConfig } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import type { AppConfig } from '@shop/shared/session';
import { makeAutoObservable, runInAction } from '@shop/shared/state';

/** The server's app config, loaded once (docs/product.md#navigation). */
export class AppConfigStore {
  value: AppConfig | null = null;
  isTraced = false;
  sendsMails = false;
  /** ISO 3166; undefined for all countries. */
  phoneCountries: readonly string[] | undefined;
  private inFlight: Promise<void> | null = null;

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get isLoading(): boolean {
    return this.inFlight !== null;
  }

  /** Never rejects: after a failure the next call tries again. */
  load(): Promise<void> {
    if (this.value) return Promise.resolve();
    if (this.inFlight) return this.inFlight;
    const isCurrent = () => this.inFlight === request;
    const request: Promise<void> = get('/api/front/app/config', undefined, { quiet: true })
      .then((wire) =>
        runInAction(() => {
          if (!isCurrent()) return;
          this.value = toAppConfig(wire);
          this.isTraced = wire.tracing === true;
          this.sendsMails = wire.email_sign_in === true;
          this.phoneCountries = wire.phone_countries;
        }),
      )
      .catch(() => {})
      .finally(() =>
        runInAction(() => {
          if (isCurrent()) this.inFlight = null;
        }),
      );
    this.inFlight = request;
    return request;
  }

  reload(): Promise<void> {
    this.value = null;
    this.inFlight = null;
    return this.load();
  }
}

function toAppConfig(wire: WireConfig): AppConfig {
  return {
    logo: wire.logo ?? '',
    customerQrcode: wire.customerQrcode || wire.customer_qrcode || '',
    workTime: wire.workTime || wire.work_time || '',
    customerLink: wire.customerLink || wire.customer_link || '',
    icp: wire.icp ?? '',
    copyright: wire.copyright ?? '',
    gameWebsiteUrl: wire.game_website_url ?? '',
    social: wire.social ?? [],
  };
}
