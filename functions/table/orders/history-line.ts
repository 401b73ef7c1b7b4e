/**
 * A step of an order's history as one line, `<at> <status> <what>`. The table and its lists each store a copy of every order,
 * and two steps as maps made writes to the local table a seventh slower.
 */
import type { OrderStep } from '../../../core/orders/order.ts'

export function lineOfStep({ at, status, what }: OrderStep): string {
  return `${at} ${status} ${what}`
}

/** Splits a line without checking its parts: `at` is NaN, or `status` and `what` are empty, where they are missing. */
export function stepInLine(line: string): OrderStep {
  const [at, status = '', ...what] = line.split(' ')
  return { at: Number(at), status, what: what.join(' ') }
}
