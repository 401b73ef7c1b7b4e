import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../client/types.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import type { VirtualShopper } from '../../../proof/rush/shopper.ts'
import { openVariantChoices, variantsOf } from '../../../proof/rush/variants.ts'
import { judge, type RushFacts } from '../../../proof/rush/verdict.ts'
import { facts, first, order, validRush } from './valid-rush.ts'

it('a shopper chooses among the other variants under a new key once one is sold out, until none is left', () => {
  const choices = openVariantChoices(['v1', 'v2', 'v3'], 1, seededRandom(7))
  const ann: VirtualShopper = { shopperId: 'ann', token: 't', pass: undefined, key: 'k' }
  const refused = (variant: string) => choices.chooseAgain(ann, { code: 'sold-out', variant } as Problem)
  const first = choices.of(ann)
  expect([choices.of(ann), refused('v1')]).toEqual([first, true])
  expect(choices.of(ann)).toMatchObject({ variant: expect.stringMatching(/v2|v3/), key: 'k-2' })
  expect([refused('v2'), choices.of(ann)]).toMatchObject([true, { variant: 'v3', key: 'k-3' }])
  expect(refused('v3')).toBe(false)
})

/** Two units of each of two variants, in orders of one. */
function fine(): RushFacts {
  const more = (at: number) => ({ variant: at < 2 ? 'v1' : 'v2' })
  const rush = validRush({ stock: 4, shoppers: 20, quantity: 1 }, { more })
  const counter = { total: 2, left: 0, heldBack: 0 }
  return {
    ...rush,
    variants: variantsOf(2, 4),
    wanted: new Map(Object.entries({ v1: 15, v2: 5 })),
    shown: { v1: 0, v2: 0 },
    snapshot: { ...rush.snapshot, variants: { v1: { ...counter }, v2: { ...counter } } },
  }
}
const counter = (change: object) => (all: RushFacts) => Object.assign(all.snapshot.variants?.v1 ?? {}, change)
const holdOther = ({ snapshot }: RushFacts) => {
  for (const hold of snapshot.holds) hold.variant = 'v2'
}

describe('the verdict of a rush with variants', () => {
  it('finds nothing wrong where every unit of each variant has its order (N1, I1, I2, I4)', () => {
    expect(judge(fine())).toEqual({
      ...{ sold: 4, expected: 4, oversold: 0, lost: 0, stranded: 0, violations: [] },
      variants: [
        { id: 'v1', stock: 2, wanted: 15, sold: 2, oversold: 0 },
        { id: 'v2', stock: 2, wanted: 5, sold: 2, oversold: 0 },
      ],
    })
  })

  it.each<[string, (facts: RushFacts) => unknown, ...string[]]>([
    [
      'another variant than was answered, which is oversold though the sale is not',
      order({ variant: 'v2' }),
      'I1: 1 unit of v2 more than its stock',
      'I2: 1 reservation with another variant (o0)',
    ],
    ['an order without a variant', order({ variant: undefined }), 'I4: 1 order of another variant (o0)'],
    ['a counter that is wrong', counter({ left: 1 }), 'I4: Redis has 1 of v1 left, 0 are'],
    ['a total that is wrong', counter({ total: 3 }), 'I4: Redis has a total of 3 of v1'],
    ['a hold of another variant', holdOther, 'I4: 4 of v2 are held, 2 sold'],
    ['a page that shows units that are gone', facts({ shown: { v1: 2, v2: 0 } }), 'shows 2 of v1'],
    ['a violation of any sale', facts({ queued: 1 }), '1 message still in the queue'],
  ])('reports %s', (_, spoil, ...says) => {
    const facts = fine()
    spoil(facts)
    for (const one of says) expect(judge(facts).violations.join()).toContain(one)
  })

  it('accepts units that are left of variants with too few for one order, and no others', () => {
    const facts = fine()
    const pair = { ...first(facts.orders), quantity: 2, variant: 'v1' }
    const counterOf = (total: number) => ({ total, left: 1, heldBack: 0 })
    const stocks = [3, 1].map((stock, at) => ({ id: `v${at + 1}`, name: `V${at + 1}`, stock }))
    const left: RushFacts = {
      ...{ ...facts, quantity: 2, spare: 2, orders: [pair], answered: [pair] },
      ...{ variants: stocks, shown: { v1: 1, v2: 1 }, shownLeft: 2, refusedWithLeft: undefined },
      snapshot: { total: 4, booked: 2, holds: [pair], outbox: 0, variants: { v1: counterOf(3), v2: counterOf(1) } },
    }
    expect(judge(left)).toMatchObject({ sold: 2, expected: 4, stranded: 0, violations: [] })
    expect(judge({ ...left, spare: 0 }).violations.join()).toContain('I1: 2 units sold, 4 expected')
  })
})
