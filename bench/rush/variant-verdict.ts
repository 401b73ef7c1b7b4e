/** The invariants of a sale with variants, besides those of every sale of units: each is a stock of its own. */
import { holdsUnits } from '../../core/order.ts'
import { basketUnits, type Variant } from '../../core/variants.ts'
import { unitsByVariant, wordOf } from '../../simulation/baskets.ts'
import { namesOf, openFindings, someOf } from './findings.ts'
import { judge, type RushFacts, type Verdict } from './verdict.ts'

/** `wanted` are the units that shoppers asked for at first, the late one after the rush included. */
export type VariantCount = { id: string; stock: number; wanted: number; sold: number; oversold: number }

export type VariantVerdict = Verdict & { variants: readonly VariantCount[] }

/** `shown` is what the public pointer says of each variant; `wanted` as in `VariantCount`. */
export type VariantFacts = RushFacts & {
  variants: readonly Variant[]
  wanted: ReadonlyMap<string, number>
  shown: Readonly<Record<string, number>>
}

export function judgeVariants(facts: VariantFacts): VariantVerdict {
  const { snapshot, orders, answered, shown } = facts
  const { violations, must } = openFindings()
  const standing = orders.filter(({ status }) => holdsUnits(status))
  const sold = unitsByVariant(standing)
  const held = unitsByVariant(snapshot.holds)
  const variants = facts.variants.map(({ id, stock }): VariantCount => {
    const units = sold[id] ?? 0
    const wanted = facts.wanted.get(id) ?? 0
    return { id, stock, wanted, sold: units, oversold: Math.max(0, units - stock) }
  })
  for (const { id, stock, sold, oversold } of variants) {
    const [counter, left] = [snapshot.variants?.[id], stock - sold]
    const inHolds = held[id] ?? 0
    must(oversold === 0, `I1: ${oversold} units of ${id} more than its stock`)
    must(counter?.total === stock, `I4: Redis has a total of ${counter?.total} of ${id}, the sale ${stock}`)
    must(counter?.left === left, `I4: Redis has ${counter?.left} of ${id} left, ${left} are`)
    must(inHolds === sold, `I4: ${inHolds} of ${id} are held, ${sold} sold`)
    must(shown[id] === left, `the public pointer shows ${shown[id]} of ${id} left, ${left} are`)
  }
  const odd = namesOf(standing, ({ basket = {}, quantity }) => basketUnits(basket) !== quantity)
  must(odd.length === 0, `I4: ${odd.length} orders whose basket has other units (${someOf(odd)})`)
  const baskets = new Map(orders.map(({ orderId, basket }) => [orderId, wordOf(basket)]))
  const other = namesOf(answered, ({ orderId, basket }) => baskets.get(orderId) !== wordOf(basket))
  must(other.length === 0, `I2: ${other.length} reservations with another basket (${someOf(other)})`)
  const { violations: ofUnits, ...verdict } = judge(facts)
  return { ...verdict, variants, violations: [...ofUnits, ...violations] }
}
