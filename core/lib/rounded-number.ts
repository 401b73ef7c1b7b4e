/** Finds numbers that a spreadsheet has rounded: it keeps 15 digits, and saves zeros or an exponent for the others. */

/** For example `1.08204E+20` or, with a decimal comma, `1,08204E+20`. */
const withExponent = /^\d(?:[.,]\d+)?e\+\d{2,3}$/i
const longNumber = /^[1-9]\d{15,}$/
const trailingZeros = /^[1-9]\d{14}(0+)$/

/**
 * Returns a test for the cells of one column that is true for a rounded number. Three zeros after the 15th digit prove it.
 * One number in ten with 16 digits ends with a zero anyway, so one or two zeros prove it only if no number of that length
 * in the column has other digits there, which a spreadsheet would have replaced.
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
