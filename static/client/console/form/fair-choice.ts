/**
 * The fair way to sell to the crowd that is expected (L9): what first come, first served would do, the random turns that keep
 * a fast network from taking the stock, and a draw where those turns would last too long.
 */
import { fasterTimes, spreadFor } from '../../../../core/gate/spread.ts'
import type { ExpectedCrowd } from '../../../../core/people/crowd.ts'
import { longestSpread, type Sale, type SaleDefinition } from '../../../../core/sale/sale.ts'
import { defaultDraw, drawnAt } from '../../../../core/sale/sale-draw.ts'
import { maxSpreadSeconds } from '../../../../core/sale/settings.ts'
import { minutesText, toLocalInput } from '../lib/typed.ts'
import { firstStart, windowsOf } from './form-summary.ts'
import type { FormText } from './form-text.ts'
import { lockOf } from './locked-settings.ts'
import { readForm } from './values.ts'

/** Longer turns keep shoppers waiting at the page; a draw lets them come when they like. */
const longestWaitSeconds = 60

/** A draw that is shorter is missed by most. */
const shortestEntryMs = 30 * 60_000

/** How long a draw keeps an offer, where the sale is open that long. */
const usualClaimSeconds = 86_400

/**
 * `seconds`: the random turns to set; `isShort` where the sale allows none that are long enough. `odds`: of so many shoppers one
 * gets a unit. `times`: a fast network has so many times the chance of the others as the form stands, `timesThen` with those
 * turns. `draw`: the fields that make the sale draw, and until when it can be entered.
 */
export type FairChoice = {
  seconds: number
  isShort: boolean
  odds: number
  times: number
  timesThen: number
  draw?: { fields: Partial<FormText>; closesAt: number; isChosen: boolean }
}

/** Undefined while the form is not valid. `now` is epoch ms. */
export function fairChoice(
  text: FormText,
  sale: Sale | undefined,
  { to: shoppers }: ExpectedCrowd,
  now: number,
): FairChoice | undefined {
  const read = readForm(text)
  if (!read.ok) return undefined
  const [{ stock } = read.definition] = windowsOf(read.definition)
  const units = stock === -1 ? Number.POSITIVE_INFINITY : stock
  const crowd = { shoppers, units }
  const odds = Math.max(1, shoppers / units)
  const chosen = read.definition.draw
  if (chosen) {
    const draw = { fields: {}, closesAt: chosen.closesAt, isChosen: true }
    return { seconds: 0, isShort: false, odds, times: 1, timesThen: 1, draw }
  }
  const wanted = spreadFor(crowd)
  const seconds = Math.min(wanted, maxSpreadSeconds, longestSpread(read.definition))
  const draw = shoppers > units && wanted > longestWaitSeconds ? drawFor(text, sale, read.definition, now) : undefined
  return {
    seconds,
    isShort: seconds < wanted,
    odds,
    times: fasterTimes(crowd, read.definition.spreadSeconds),
    timesThen: fasterTimes(crowd, seconds),
    ...(draw && { draw }),
  }
}

/** Undefined where the sale cannot draw, or starts too soon for it. */
function drawFor(text: FormText, sale: Sale | undefined, definition: SaleDefinition, now: number): FairChoice['draw'] {
  const minute = (ms: number) => Math.floor(ms / 60_000) * 60_000
  const startsAt = firstStart(definition)
  const closesAt = minute(startsAt - drawnAt({ closesAt: 0, commitSeconds: defaultDraw.commitSeconds }))
  if (closesAt - now < shortestEntryMs || lockOf('draw.opensAt', sale) !== undefined) return undefined
  const open = Math.floor((definition.endsAt - startsAt) / 1000)
  const fields: Partial<FormText> = {
    'draw.opensAt': toLocalInput(minute(now)),
    'draw.closesAt': toLocalInput(closesAt),
    'draw.claimSeconds': minutesText(Math.min(usualClaimSeconds, open)),
    limitPerShopper: '1',
    maxPerOrder: '1',
    spreadSeconds: '0',
  }
  const drawing = readForm({ ...text, ...fields })
  return drawing.ok && drawing.definition.draw !== undefined ? { fields, closesAt, isChosen: false } : undefined
}
