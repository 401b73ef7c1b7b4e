/** `GET /api/control/sales/{saleId}/coupons.csv`, whole or with `?part=`. */
import type { SaleId } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusals.ts'
import type { Sale } from '../../core/sale.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { answerOfCsv, refusal, unknownSale } from './answers.ts'
import { type CouponOrders, couponsCsv } from './coupons-csv.ts'

export type CouponPorts = {
  sales: { find: (saleId: SaleId) => Promise<{ sale: Sale } | undefined> }
  couponOrders: CouponOrders
}

type Context = { ports: CouponPorts; request: HttpRequest; saleId: SaleId }

export async function answerCoupons({ ports, request, saleId }: Context): Promise<HttpAnswer> {
  const { parts } = ports.couponOrders
  const asked = request.query.get('part')
  const part = asked === null ? undefined : readPart(asked, parts)
  if (asked !== null && part === undefined) {
    return invalid('part', `part must be a whole number from 0 to ${parts - 1}`)
  }
  const sale = (await ports.sales.find(saleId))?.sale
  if (sale === undefined) return unknownSale()
  if (sale.kind !== 'coupon') {
    return refusal({ reason: 'no-coupons' })
  }
  const filename = part === undefined ? `${saleId}-coupons.csv` : `${saleId}-coupons-${part}.csv`
  return answerOfCsv(filename, await couponsCsv(ports, sale, part), tooLarge(part, parts))
}

function readPart(text: string, parts: number): number | undefined {
  const part = Number(text)
  // No other spelling of a number: neither 03 nor 3.0, and no empty text, which is 0.
  return Number.isInteger(part) && part >= 0 && part < parts && String(part) === text ? part : undefined
}

function tooLarge(part: number | undefined, parts: number): Refusal {
  return part === undefined
    ? { reason: 'coupons-in-parts', values: { limit: parts - 1 } }
    : { reason: 'coupons-too-many' }
}
