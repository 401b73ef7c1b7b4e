/** Draws the tables of the console. */
import type { ComponentChildren } from 'preact'

export type Column<Row> = {
  heading: string
  cell(row: Row): ComponentChildren
  /** `name`: it names its row. `number`: its numbers are below each other by their last digit. */
  kind?: 'name' | 'number'
}

type Props<Row> = {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string | number
  /** Returns data attributes for a row. */
  dataOf?(row: Row): Readonly<Record<`data-${string}`, string | number>>
  caption?: string
  labelledBy?: string
  below?: ComponentChildren
}

/** A scrollable table. On phones CSS changes its display, so its parts have explicit roles and each cell its column. */
export function DataTable<Row>({ columns, rows, keyOf, dataOf, caption, labelledBy, below }: Props<Row>) {
  return (
    <div class="scroll" tabIndex={0}>
      <table role="table" aria-labelledby={labelledBy}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ heading, kind }) => (
              <th key={heading} scope="col" role="columnheader" class={kind === 'number' ? kind : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" {...dataOf?.(row)}>
              {columns.map(({ heading, cell, kind }) =>
                kind === 'name' ? (
                  <th key={heading} scope="row" role="rowheader">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={heading} role="cell" data-label={heading} class={kind}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {below}
    </div>
  )
}
