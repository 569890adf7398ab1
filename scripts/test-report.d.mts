interface Test {
  file: string;
  title: string;
  duration: number;
}
interface Report {
  passed: number;
  failed: number;
  skipped: number;
  tests: Test[];
}
export function jestReport(report: object): Report;
export function playwrightReport(report: object): Report;
export function slowest(tests: Test[]): string;
