/** What the draw adds to simulated sales and to the rush. */
import { counted } from '../../../core/lib/text.ts'
import { type SaleDefinition, saleDefinition } from '../../../core/sale/sale.ts'
import { spelled } from '../../../proof/bench/statistics.ts'
import type { Random } from '../../../proof/simulation/engine/random.ts'
import type { OptionParts, PlayedOption, SimulatedOption } from '../../../proof/simulation/option.ts'
import { drawVariants, lastsMs, withVariants } from '../../../proof/simulation/sale.ts'
import type { World } from '../../../proof/simulation/world.ts'
import { drawnAt, leastClaimMs } from '../core/fields.ts'
import { drawnFaultProfile, drawTrouble, openDrawn } from './draw-actor.ts'
import { checkDrawn, countDraw, pendingDraw, watchDraw } from './draw-check.ts'
import { drawRush } from './rush.ts'
import { keepDrawKeys, openPlayedDraw } from './simulated-draws.ts'

const draw: SimulatedOption<World> = {
  name: 'draw',
  flag: 'draw the units of every sale of goods or coupons, and split none',
  ...{ rate: 0.25, stream: 0xd4a3 },
  // Some of these pay late in the checkout of the shop, beside offers of others.
  checkoutRate: 0.5,
  open: playDraw,
  rowOf: ({ decided = 0, offers = 0 }) => [
    'draws',
    `${spelled(decided)} with ${counted(offers, 'offer', spelled(offers))}`,
  ],
  checked: [
    [
      'draws',
      'what is published and every receipt agree; units are offered by rank, each once; shoppers without an offer buy',
    ],
    ['', 'nothing; a unit that is offered is sold to no other shopper; a void draw offers nothing'],
  ],
}

export const simulatedOptions = [draw] as const

export const rushModes = [drawRush] as const

function playDraw(parts: OptionParts): PlayedOption<World> {
  const { random, seed, truth, saleId } = parts
  const trouble = drawTrouble(random)
  const own = openPlayedDraw(parts)
  return {
    prepare: () => keepDrawKeys(truth.table, saleId, seed),
    vary: (sale) => withDraw(random, sale),
    start: (world, definition) => openDrawn({ ...world, ...own }, definition, trouble),
    watch: (world) => watchDraw({ ...world, ...own }),
    faultProfile: drawnFaultProfile,
    // Offers are bought, lapse and follow each other for minutes.
    ...{ faultsMs: [300_000, 900_000], incidentsWithinMs: 600_000 },
    // With those of all sales, four of ten who buy on an offer never pay.
    forgetRate: 0.2,
    letIn: own.entries.letIn,
    checkAtRest: (world) => checkDrawn({ ...world, ...own }),
    pendingWork: (world, sale) => pendingDraw({ ...world, ...own }, sale),
    counts: (world) => countDraw({ ...world, ...own }),
  }
}

/** The rules of a draw are published in that time, also with faults. */
const untilEntriesMs = 180_000

/**
 * The same sale with a draw of its few units, one to a shopper; of some goods, of variants. Closes are a quarter of a minute apart, so
 * that few rounds of the beacon decide, which take longest to sign.
 */
function withDraw(random: Random, sale: SaleDefinition): SaleDefinition {
  const opensAt = sale.startsAt + untilEntriesMs
  const closesAt = opensAt + 15_000 * random.whole(4, 8)
  const commitSeconds = random.pick([60, 300, 300, 600, 600, 600])
  const waitSeconds = random.pick([0, 30, 120])
  const startsAt = drawnAt({ closesAt, commitSeconds }) + 1000 * waitSeconds
  const claimSeconds = leastClaimMs / 1000 + waitSeconds + random.whole(0, 90)
  const units = { stock: random.whole(1, 4), shards: 1, limitPerShopper: 1, maxPerOrder: 1, windows: [] }
  const times = { startsAt, endsAt: startsAt + lastsMs, paymentWindowSeconds: random.whole(10, 120) }
  const draw = { opensAt, closesAt, commitSeconds, claimSeconds }
  const drawn = saleDefinition.parse({ ...sale, ...units, ...times, draw })
  return withVariants(random, drawn, { ids: sale.kind === 'goods' ? drawVariants(random, undefined) : [], more: 0 })
}
