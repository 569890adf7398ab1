export interface Gateway {
  endpoint: string;
  bucket: string;
  /** Variables of the AWS SDK, and S3_TEST. */
  env: Record<string, string>;
  stop(): Promise<void>;
}
export function hasRadosgw(): boolean;
export function startRadosgw(): Promise<Gateway>;
