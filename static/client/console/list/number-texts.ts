/** The numbers of a sale in a list, as its row and its card show them. */
import type { SaleNumbers } from '../../../../core/api/control-answers.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { type Speaker, sayFor } from '../lib/kind-words.ts'

/** What was sold, what is left, and the money: each with its name. What is not known is a dash. */
export function numbersShown(
  voice: Pick<Speaker, 't' | 'locale' | 'money'>,
  { kind, currency }: Sale,
  numbers: SaleNumbers | undefined,
): (readonly [name: string, value: string])[] {
  const say = sayFor(voice, kind)
  const count = (n: number | null | undefined) => {
    if (n === null || n === undefined) return '–'
    return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
  }
  const revenue = numbers?.revenue ?? null
  const money = kind === 'red-packet' ? say('live.claimed') : say('live.revenue')
  return [
    [say('live.sold'), count(numbers?.sold)],
    [say('live.remaining'), count(numbers?.left)],
    ...(kind === 'coupon' ? [] : [[money, revenue === null ? '–' : voice.money(revenue, currency)] as const]),
  ]
}
