import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { oneOf } from '@shop/server/platform/http/edit-schemas';
import { CSV_MARK, csvRows } from '@shop/shared/domain/csv';
import type { FastifyReply } from 'fastify';
import { writeXlsxStream } from 'hucre/xlsx';

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
export type FileFormat = keyof typeof types;
export const FileFormatSchema = oneOf(Object.keys(types) as FileFormat[]);

export interface TableColumn {
  header: string;
  /** Its cells are amounts in major units, which XLSX has as numbers. */
  isAmount: boolean;
}
export type TableCell = string | number | null;

/** A table as a file, which is written while it is read. `batches` are some rows at a time. */
export function tableFile(
  format: FileFormat,
  columns: TableColumn[],
  batches: AsyncIterable<TableCell[][]>,
): AsyncIterable<string | Uint8Array> {
  const sheet = columns.map(({ header, isAmount }) => ({ header, width: 16, ...(isAmount && { numFmt: '0.00' }) }));
  if (format === 'csv') return lines();
  return writeXlsxStream(rows(), { name: 'Sheet1', columns: sheet, freezePane: { rows: 1 } }) as ReadableStream;

  async function* lines() {
    yield CSV_MARK + csvRows([columns.map(({ header }) => header)]);
    for await (const batch of batches) yield csvRows(batch.map((row) => row.map((cell) => String(cell ?? ''))));
  }
  async function* rows() {
    for await (const batch of batches)
      for (const row of batch)
        yield row.map((cell, at) => (columns[at]?.isAmount && cell !== null ? Number(cell) : cell));
  }
}

/** Answers with a file for the client to save. */
export function fileAnswer(reply: FastifyReply, name: string, type: string, file: Readable): unknown {
  reply.header('content-disposition', `attachment; filename="${name}"`).type(type);
  return file;
}
export const tableAnswer = (reply: FastifyReply, name: string, format: FileFormat, file: Readable) =>
  fileAnswer(reply, `${name}.${format}`, types[format], file);
