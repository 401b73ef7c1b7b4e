/**
 * The sales of a rush: the product, which is what differs between kinds, and the way to the start, as a marketer and a
 * waiting page go it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { ControlClient } from '../../cli/control-client.ts'
import { parse } from '../../core/lib/parse.ts'
import type { PacketBatch } from '../../core/packets/packets.ts'
import { variantsOf } from './variants.ts'

export type OpenSale = { saleId: string; startToken: string }

const pointer = z.object({
  phase: z.string(),
  startsAt: z.number(),
  src: z.string(),
  remaining: z.number(),
  version: z.number(),
  variants: z.optional(z.record(z.string(), z.number())),
})
const countdown = z.object({ started: z.boolean(), startToken: z.optional(z.string()) })

/** A sale of goods, started. */
export function openGoodsSale(url: string, control: ControlClient, units: UnitsForSale): Promise<OpenSale> {
  return openSaleOf(url, control, goodsOf(units))
}

/**
 * Creates, warms and starts a sale of `product`, and reads its start token from the public
 * countdown. `beforeStart` runs while shoppers wait for the start.
 */
export async function openSaleOf(
  url: string,
  control: ControlClient,
  product: Product,
  beforeStart?: (saleId: string) => Promise<void>,
): Promise<OpenSale> {
  const now = Date.now()
  const saleId = `rush-${now.toString(36)}`
  await control.createSale({ body: saleOf(saleId, now, product) })
  await control.warm({ saleId })
  await beforeStart?.(saleId)
  // The turns of a spread count from the start.
  await control.start({ saleId, body: { now: product.timesAt !== undefined } })
  return { saleId, startToken: await readStartToken(url, saleId) }
}

/** The definition of a sale of goods for a rush; `startsAt` is epoch ms. */
export function rushSale(saleId: string, startsAt: number, units: UnitsForSale) {
  return saleOf(saleId, startsAt, goodsOf(units))
}

function saleOf(saleId: string, startsAt: number, { throttle, timesAt, ...product }: Product) {
  return {
    saleId,
    title: 'Rush',
    description: 'A sale for a load test.',
    currency,
    ...product,
    ...(timesAt?.(startsAt) ?? { startsAt, endsAt: startsAt + 3_600_000 }),
    // All requests come from one machine.
    throttle: { ...throttle, perIp: { limit: 1_000_000, windowSeconds: 60 } },
  }
}

/**
 * The start token in the public countdown, once the sale has opened.
 * @throws when it does not appear in time
 */
export async function readStartToken(url: string, saleId: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { src } = await readPublicPointer(url, saleId)
    const source = await (await fetch(url + src)).text()
    const published = parse(countdown, JSON.parse(source.slice(source.indexOf('{'), source.lastIndexOf('}') + 1)))
    if (published.ok && published.value.started && published.value.startToken !== undefined) {
      return published.value.startToken
    }
    await sleep(100)
  }
  throw new Error(`${saleId} was started, and its public countdown does not say so`)
}

/** The public pointer of a sale, as a page reads it. */
export async function readPublicPointer(url: string, saleId: string): Promise<z.infer<typeof pointer>> {
  const response = await fetch(`${url}/sales/${saleId}/current.json`)
  const parsed = parse(pointer, await response.json())
  if (!parsed.ok) throw new Error(`the pointer of ${saleId} is not of the expected form: ${parsed.detail}`)
  return parsed.value
}

/** The currency of all amounts. */
export const currency = 'CNY'

export type Product = {
  kind: string
  pictures: { src: string; alt: string }[]
  throttle?: object
  /** Its times and what goes with them, from when it is created, epoch ms; absent: an hour from then on. */
  timesAt?: (now: number) => object
} & Record<string, unknown>

type UnitsForSale = {
  stock: number
  quantity: number
  limitPerShopper: number
  shards?: number
  variants?: number
  admitPerSecond?: number
  mode?: string
  /** As in a product. */
  timesAt?: Product['timesAt']
}

/** The turns of a sale with `--mode spread` are spread over its first seconds. */
const spreadSeconds = 10

/** It is started at once, after its pages were loaded. */
const inAnHour = (now: number) => ({ startsAt: now + 3_600_000, endsAt: now + 7_200_000 })

/** Goods at ten fen (L5). A shopper may ask once for each variant, and retry. */
export function goodsOf(units: UnitsForSale): Product {
  const { variants, stock, mode, timesAt } = units
  const pictures = [{ src: '/assets/pictures/mug.svg', alt: 'The product' }]
  const goods = {
    ...{ kind: 'goods', pictures, price: 10, ...unitsOf(units) },
    ...(mode === 'spread' && { spreadSeconds, timesAt: inAnHour }),
    ...(timesAt && { timesAt }),
  }
  if (variants === undefined) return goods
  const perShopper = { limit: 10 * variants, windowSeconds: 60 }
  return { ...goods, variants: variantsOf(variants, stock), throttle: { perShopper } }
}

export function couponsOf(units: UnitsForSale): Product {
  return { kind: 'coupon', pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }], ...unitsOf(units) }
}

export function packetsOf(packets: PacketBatch): Product {
  return { kind: 'red-packet', pictures: [{ src: '/assets/pictures/packet.svg', alt: 'The product' }], packets }
}

function unitsOf({ stock, quantity, limitPerShopper, shards = 1, admitPerSecond }: UnitsForSale) {
  return { stock, limitPerShopper, maxPerOrder: quantity, shards, ...(admitPerSecond && { admitPerSecond }) }
}
