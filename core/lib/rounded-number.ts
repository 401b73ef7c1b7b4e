/** Numbers that a spreadsheet has changed: it keeps 15 digits, writes zeros for the others, and saves what it shows. */

/** Such as `1.08204E+20`, with the decimal comma of some languages, or as programs write it. */
const withExponent = /^\d(?:[.,]\d+)?e\+\d{2,3}$/i
const longNumber = /^[1-9]\d{15,}$/
const trailingZeros = /^[1-9]\d{14}(0+)$/

/**
 * The test of a cell of a column, which has all of `cells`: true for a number that was rounded. Three zeros behind the
 * 15th digit are proof enough. One of ten numbers with 16 digits ends with a zero anyway, so one or two are a proof
 * unless the column has a number of that length with other digits there, which no spreadsheet leaves.
 */
export function roundedNumberTest(cells: readonly string[]): (cell: string) => boolean {
  const whole = new Set(
    cells.filter((cell) => longNumber.test(cell) && !trailingZeros.test(cell)).map(({ length }) => length),
  )
  return (cell) => {
    const zeros = trailingZeros.exec(cell)?.[1]?.length ?? 0
    return withExponent.test(cell) || zeros > 2 || (zeros > 0 && !whole.has(cell.length))
  }
}
