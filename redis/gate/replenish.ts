/** Runs replenish.lua, which publishes the counts that limit the gate's admissions (G7). */
import { admissionExpiryMs, admissionsLeft, thousandthsOf } from '../../core/gate/admission.ts'
import type { SaleId } from '../../core/ids.ts'
import { type Commander, command } from '../command.ts'
import { admissionsKey, demandKey } from '../keys.ts'
import { integer, kindOf, list } from '../reply.ts'
import { defineScript } from '../script.ts'
import { demandIn, type SaleDemand } from './demand.ts'
import source from './replenish.lua'

const replenishScript = defineScript('replenish', source)
const replenishCodes = { replenished: 1, superseded: 2 } as const

/** Admissions in a second: `maxRate` is the setting, `rate` applies from now on. An absent value keeps the stored one. */
type AdmissionRate = { maxRate?: number; rate?: number }

/**
 * A snapshot of the stock; `asOf` (epoch ms) is a time before the read. `total` is -1 for an unlimited stock. `epoch` is 0
 * before it was opened. `booked` is undefined when the stock is lost or frozen: no admission is granted then, and earlier
 * counts stay. `ratio` is the sale's admissions per unit; if absent, the stored one stays.
 */
export type StockSnapshot = AdmissionRate & {
  asOf: number
  total: number
  booked: number | undefined
  stockRevision: number
  epoch: number
  ratio?: number
}

/** `rate` is undefined if none was ever published. `demand` is the same as that of `readDemand`. */
export type Replenished = { kind: 'replenished'; rate: number | undefined; demand: SaleDemand } | { kind: 'superseded' }

/**
 * Publishes the stock's counts to the gate and frees expired admissions. `superseded`: the gate has a newer count, and
 * nothing changed. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function replenish(redis: Commander, saleId: SaleId, snapshot: StockSnapshot): Promise<Replenished> {
  const { asOf, total, booked, stockRevision, epoch, ratio, maxRate, rate } = snapshot
  const thousandths = ratio === undefined ? '' : thousandthsOf(ratio)
  const units = [asOf, total, booked ?? '', stockRevision, thousandths, asOf - admissionExpiryMs, epoch]
  return run(redis, saleId, [...units, maxRate ?? '', rate ?? ''])
}

/** Publishes only the rate, while the stock cannot be read. Repeatable. @throws RedisUnavailable, UnexpectedReply */
export async function publishRate(
  redis: Commander,
  saleId: SaleId,
  { asOf, maxRate, rate }: Required<AdmissionRate> & { asOf: number },
): Promise<Replenished> {
  return run(redis, saleId, [asOf, '', '', '', '', '', 0, maxRate, rate])
}

async function run(redis: Commander, saleId: SaleId, args: readonly (string | number)[]): Promise<Replenished> {
  const keys = [admissionsKey(saleId), demandKey(saleId)]
  const [code, rate, demand] = await replenishScript.run(redis, keys, args.map(String))
  const kind = kindOf(replenishCodes, code, 'replenish')
  if (kind === 'superseded') return { kind }
  const known = integer(rate, 'rate')
  return { kind, rate: known === -1 ? undefined : known, demand: demandIn(demand) }
}

/**
 * The admissions of a sale in the gate's store. `out` counts those not yet completed; `remaining` can be granted. `maxBooked`
 * is the maximum of `booked` ever. `total` and `remaining` are -1 for an unlimited stock. `asOf` is epoch ms. `isComplete`:
 * `booked` and `out` include every unit booked before the last count and every admission since; false while this store may
 * have lost some. `rate` is how many are granted in a second, undefined if none was published.
 */
export type Admissions = {
  total: number
  booked: number
  maxBooked: number
  out: number
  remaining: number
  asOf: number
  isComplete: boolean
  rate: number | undefined
}

/**
 * Reads the admissions of a sale; undefined if no count was published.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readAdmissions(redis: Commander, saleId: SaleId): Promise<Admissions | undefined> {
  const read = await command(redis, [
    'HMGET',
    admissionsKey(saleId),
    'total',
    'ratio',
    'booked',
    'out',
    'asOf',
    'countedAt',
    'since',
    'maxBooked',
    'rate',
  ])
  const found = list(read, 'admissions')
  if (found[0] === null || found[1] === null) return undefined
  const total = integer(found[0], 'total')
  const booked = integer(found[2], 'booked')
  const out = integer(found[3], 'out')
  const remaining = admissionsLeft({ total, booked, out }, integer(found[1], 'ratio') / 1000)
  const [countedAt, since] = [found[5], found[6]]
  const isComplete =
    countedAt !== null &&
    since !== null &&
    integer(countedAt, 'countedAt') - integer(since, 'since') >= admissionExpiryMs
  const maxBooked = integer(found[7] ?? '0', 'maxBooked')
  const rate = found[8] === null ? undefined : integer(found[8], 'rate')
  return { total, booked, maxBooked, out, remaining, asOf: integer(found[4], 'asOf'), isComplete, rate }
}
