/** A table that is wider than a phone. */
import type { ComponentChildren, TdHTMLAttributes } from 'preact'

type Props = {
  headings: readonly string[]
  /** From here on the columns are numbers, below each other by their last digit. */
  numbersFrom?: number
  caption?: string
  labelledBy?: string
  /** The rows. */
  children: ComponentChildren
  below?: ComponentChildren
}

/** It scrolls by itself. CSS takes it apart on a phone, so its parts name their roles. */
export function ScrollTable(props: Props) {
  const { headings, numbersFrom = headings.length, caption, labelledBy, children, below } = props
  return (
    <div class="scroll" tabIndex={0}>
      <table role="table" aria-labelledby={labelledBy}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead role="rowgroup">
          <tr role="row">
            {headings.map((text, i) => (
              <th key={text} scope="col" role="columnheader" class={i < numbersFrom ? undefined : 'number'}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
      {below}
    </div>
  )
}

/** On a phone each cell names its column, which is `label`. */
export function TableCell({ label, ...props }: TdHTMLAttributes<HTMLTableCellElement> & { label: string }) {
  return <td role="cell" data-label={label} {...props} />
}

/** The cell that names a row. */
export function RowHead({ children }: { children: ComponentChildren }) {
  return (
    <th scope="row" role="rowheader">
      {children}
    </th>
  )
}
