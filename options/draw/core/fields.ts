/**
 * The settings of a sale with a draw: shoppers enter between two times, a beacon decides, and only the winners may buy. The
 * draw puts holders of offers on the list of the sale, and the gate looks up each shopper there.
 */
import * as z from 'zod/mini'
import { maxTime, whole } from '../../../core/lib/parse.ts'
import type { SaleFacts, SaleFault } from '../../../core/sale/sale-field.ts'
import type { FieldsSeam } from '../../../core/seams.ts'

/** Times are epoch ms; options/draw/docs/reference.md says what each is in the rules. */
export type SaleDraw = { opensAt: number; closesAt: number; commitSeconds: number; claimSeconds: number }

/** Limit of the units in a draw: the list of the sale has a shopper for each. */
export const maxDrawnUnits = 20_000

/** Defaults of optional fields. */
export const defaultDraw = { commitSeconds: 120 }

/** At most thirty days. */
const maxClaimSeconds = 2_592_000

const drawn = { optional: true, group: 'draw', kinds: ['goods', 'coupon'] } as const
const time = { as: 'time', schema: whole(0, maxTime), ...drawn } as const

const settings = {
  /** When shoppers may enter (options/draw/docs/reference.md). */
  'draw.opensAt': time,
  'draw.closesAt': time,
  /** From the close to the round of the beacon: time to publish the list. */
  'draw.commitSeconds': { as: 'units', schema: whole(60, 86_400), range: [60, 86_400], ...drawn },
  /** How long an offer is valid. */
  'draw.claimSeconds': { as: 'minutes', schema: whole(60, maxClaimSeconds), range: [60, maxClaimSeconds], ...drawn },
} as const

/** Time between the round and the start of the sale, in which the draw fills the list. */
const decideMarginMs = 5000

/** Minimum time for a winner to buy. */
export const minClaimMs = 60_000

/** Returns when the sale may start at the earliest, epoch ms: after the beacon's round, with the list filled. */
export function earliestDrawStart({ closesAt, commitSeconds }: Pick<SaleDraw, 'closesAt' | 'commitSeconds'>): number {
  return closesAt + 1000 * commitSeconds + decideMarginMs
}

type Drawn = { draw: SaleDraw }

/** Fields that may change once the rules are published, because they do not decide who wins or what a winner gets. */
const free: ReadonlySet<string> = new Set([
  ...['title', 'description', 'pictures', 'translations', 'variants', 'listPrice', 'timeZone', 'endsAt'],
  ...[
    'supportRefundLimit',
    'admissionRatio',
    'admitPerSecond',
    'challenge',
    'requirePass',
    'allowedOrigins',
    'throttle',
  ],
])

const fault = (field: string, message: string): SaleFault => ({ path: field.split('.'), message })

/** Returns the first field of a definition that conflicts with its draw. */
function faultOfDraw(sale: SaleFacts & Partial<Drawn>): SaleFault | undefined {
  const { draw, earlyAccess } = sale
  if (draw === undefined) return undefined
  const earliest = earliestDrawStart(draw)
  const offersEnd = earliest + 1000 * draw.claimSeconds
  if (sale.kind === 'red-packet') return fault('draw', 'is not allowed for red packets')
  if (draw.closesAt <= draw.opensAt) return fault('draw.closesAt', 'must be after draw.opensAt')
  if (sale.windows.length > 0) return fault('windows', 'must be absent in a sale that draws')
  if (sale.stock < 1 || sale.stock > maxDrawnUnits)
    return fault('stock', `must be 1 to ${maxDrawnUnits} in a sale that draws`)
  if (sale.limitPerShopper !== 1) return fault('limitPerShopper', 'must be 1 in a sale that draws')
  if (earlyAccess !== undefined)
    return fault('earlyAccess', 'must be absent in a sale that draws: only winners may buy')
  if (sale.startsAt < earliest) return fault('startsAt', `must be at least ${earliest}, when the draw is decided`)
  if (offersEnd < sale.startsAt + minClaimMs)
    return fault('draw.claimSeconds', 'must keep offers until a minute after startsAt or longer')
  return undefined
}

export const fields = {
  name: 'draw' as const,
  settings,
  schema: {
    draw: z.optional(
      z.strictObject(
        {
          opensAt: settings['draw.opensAt'].schema,
          closesAt: settings['draw.closesAt'].schema,
          commitSeconds: z._default(settings['draw.commitSeconds'].schema, defaultDraw.commitSeconds),
          claimSeconds: settings['draw.claimSeconds'].schema,
        },
        'must be an object with opensAt, closesAt and claimSeconds',
      ),
    ),
  },
  fault: faultOfDraw,
  plan: {
    faultAt({ draw }: Drawn, now: number) {
      return draw.closesAt > now ? undefined : fault('draw.closesAt', 'must not lie in the past')
    },
    earliestDrawStart: ({ draw }: Drawn) => earliestDrawStart(draw),
    firstTime: ({ draw }: Drawn) => draw.closesAt,
    moved: ({ draw }: Drawn, later: (time: number) => number) => ({
      draw: { ...draw, opensAt: later(draw.opensAt), closesAt: later(draw.closesAt) },
    }),
    fixedBy: 'draw-fixed' as const,
    free,
    invitedOnly: true,
  },
} satisfies FieldsSeam
