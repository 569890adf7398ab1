import { CSV_MARK, csvRows } from '@shop/shared/domain/csv';

export const toCsv = (rows: string[][]): string => CSV_MARK + csvRows(rows);

export function saveFile(name: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
