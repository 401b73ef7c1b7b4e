/**
 * Opens the sales of a rush: defines the product, which differs by kind, then creates, warms and starts the sale as a
 * marketer does, and reads the start token as a page does.
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

/** Opens and starts a sale of goods. */
export function openGoodsSale(url: string, control: ControlClient, units: UnitsForSale): Promise<OpenSale> {
  return openRushSale(url, control, goodsOf(units))
}

/**
 * Creates, warms and starts a sale of `product`, and reads its start token from the public
 * countdown. `beforeStart` runs while shoppers wait for the start.
 */
export async function openRushSale(
  url: string,
  control: ControlClient,
  product: RushProduct,
  beforeStart?: (saleId: string) => Promise<void>,
): Promise<OpenSale> {
  const now = Date.now()
  const saleId = `rush-${now.toString(36)}`
  await control.createSale({ body: saleOf(saleId, now, product) })
  await control.warm({ saleId })
  await beforeStart?.(saleId)
  // With `spreadSeconds`, turns count from the start.
  await control.start({ saleId, body: { now: product.timesAt !== undefined } })
  return { saleId, startToken: await readStartToken(url, saleId) }
}

/** Returns the definition of a sale of goods for a rush; `startsAt` is epoch ms. */
export function rushSale(saleId: string, startsAt: number, units: UnitsForSale) {
  return saleOf(saleId, startsAt, goodsOf(units))
}

function saleOf(saleId: string, startsAt: number, { throttle, timesAt, ...product }: RushProduct) {
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
 * Reads the start token from the public countdown once the sale is open.
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

/** Reads the public pointer of a sale as a page does. */
export async function readPublicPointer(url: string, saleId: string): Promise<z.infer<typeof pointer>> {
  const response = await fetch(`${url}/sales/${saleId}/current.json`)
  const parsed = parse(pointer, await response.json())
  if (!parsed.ok) throw new Error(`the pointer of ${saleId} is not of the expected form: ${parsed.detail}`)
  return parsed.value
}

export const currency = 'CNY'

export type RushProduct = {
  kind: string
  pictures: { src: string; alt: string }[]
  throttle?: object
  /** Returns settings that depend on the creation time, epoch ms. Default: on sale for an hour from then on. */
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
  /** See `RushProduct`. */
  timesAt?: RushProduct['timesAt']
}

/** With `--mode spread`, turns are spread over these first seconds. */
const spreadSeconds = 10

/** The marketer starts the sale earlier, once its pages are loaded. */
const inAnHour = (now: number) => ({ startsAt: now + 3_600_000, endsAt: now + 7_200_000 })

/** Returns goods at ten fen (L5). The throttle allows one request for each variant, with retries. */
export function goodsOf(units: UnitsForSale): RushProduct {
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

export function couponsOf(units: UnitsForSale): RushProduct {
  return { kind: 'coupon', pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }], ...unitsOf(units) }
}

export function packetsOf(packets: PacketBatch): RushProduct {
  return { kind: 'red-packet', pictures: [{ src: '/assets/pictures/packet.svg', alt: 'The product' }], packets }
}

function unitsOf({ stock, quantity, limitPerShopper, shards = 1, admitPerSecond }: UnitsForSale) {
  return { stock, limitPerShopper, maxPerOrder: quantity, shards, ...(admitPerSecond && { admitPerSecond }) }
}
