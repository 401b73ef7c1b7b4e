/**
 * What a marketer would want to know of a valid sale before it is saved: each a sure fact, and none of
 * them forbids anything.
 */
import { admitPerSecondOf } from '../../../../core/gate/admission-rate.ts'
import { longestSpread, type SaleDefinition } from '../../../../core/sale/sale.ts'
import type { Arguments } from '../../../messages/text.ts'
import type { Key } from '../lib/kind-words.ts'
import { firstStart, totalUnits, windowsOf } from './form-summary.ts'

export type Warning = { key: Key; args?: Arguments }

/** The sale, and the time, epoch ms. */
type Check = (sale: SaleDefinition, now: number) => Warning | undefined

/** Too little for publishing and starting a sale with care. */
const soonMs = 5 * 60_000

/** Where the demo pictures are. */
const samplePath = '/assets/pictures/'

const startsSoon: Check = (sale, now) => {
  const leftMs = firstStart(sale) - now
  if (leftMs <= 0) return { key: 'warn.past' }
  return leftMs < soonMs ? { key: 'warn.soon' } : undefined
}

/** Warns when the clicks that the gate admits in a window cannot order its units, at `maxPerOrder` each. */
const tooSlow: Check = (sale) => {
  const rate = admitPerSecondOf(sale)
  for (const { startsAt, endsAt, stock } of windowsOf(sale)) {
    const most = Math.floor(((endsAt - startsAt) / 1000) * rate) * sale.maxPerOrder
    if (most < stock) return { key: 'warn.tooSlow', args: { rate, most, stock } }
  }
  return undefined
}

/** Refused when it is saved; the field says how many seconds are possible. */
const turnsTooLong: Check = (sale) => {
  const seconds = longestSpread(sale)
  return sale.spreadSeconds > seconds ? { key: 'warn.turnsTooLong', args: { seconds } } : undefined
}

const noCountries: Check = ({ kind, delivery }) =>
  kind === 'goods' && (delivery?.countries ?? []).length === 0 ? { key: 'warn.noCountries' } : undefined

const free: Check = ({ kind, price }) => (kind === 'goods' && price === 0 ? { key: 'warn.free' } : undefined)

/** Such as in a copy of a sale of the demo. */
const samplePicture: Check = ({ pictures }) =>
  pictures.some(({ src }) => src.startsWith(samplePath)) ? { key: 'warn.sample' } : undefined

const oneTakesAll: Check = (sale) => {
  const units = totalUnits(sale)
  return units !== undefined && units > 1 && sale.limitPerShopper >= units ? { key: 'warn.oneTakesAll' } : undefined
}

const checks: readonly Check[] = [startsSoon, turnsTooLong, tooSlow, free, oneTakesAll, noCountries, samplePicture]

/** The most urgent first. `now` is epoch ms. */
export function warningsOf(sale: SaleDefinition, now: number): Warning[] {
  return checks.flatMap((check) => check(sale, now) ?? [])
}
