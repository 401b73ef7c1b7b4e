/**
 * Opens the sales of a rush: defines the product, which differs by kind, then creates, warms and starts the sale as a
 * marketer does, and reads the start token as a page does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { ControlClient } from '../../cli/control-client.ts'
import { parse } from '../../core/lib/parse.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
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
  await control.createSale({ body: rushSale(saleId, now, product) })
  await control.warm({ saleId })
  await beforeStart?.(saleId)
  // With `spreadSeconds`, turns count from the start.
  await control.start({ saleId, body: { now: product.mode !== undefined } })
  return { saleId, startToken: await readStartToken(url, saleId) }
}

/** Returns the definition of a sale for a rush; `now` is its creation time, epoch ms. */
export function rushSale(saleId: string, now: number, product: RushProduct) {
  const { kind, stock, quantity, totalAmount, variants, shards = 1, admitPerSecond, mode, timesAt } = product
  const isSpread = mode === 'spread'
  const startsAt = isSpread ? now + hourMs : now
  return {
    ...{ saleId, kind, title: 'Rush', description: 'A sale for a load test.', currency },
    pictures: [{ src: `/assets/pictures/${pictures[kind]}.svg`, alt: 'The product' }],
    // Ten fen (L5).
    ...(kind === 'goods' && { price: 10 }),
    ...{ stock, limitPerShopper: quantity, maxPerOrder: quantity, shards },
    ...(totalAmount !== undefined && { packets: { count: stock, totalAmount } }),
    ...(variants !== undefined && { variants: variantsOf(variants, stock) }),
    ...(admitPerSecond !== undefined && { admitPerSecond }),
    ...(isSpread && { spreadSeconds }),
    ...(timesAt?.(now) ?? { startsAt, endsAt: startsAt + hourMs }),
    throttle: {
      // One request for each variant, with retries.
      ...(variants !== undefined && { perShopper: { limit: 10 * variants, windowSeconds: 60 } }),
      // All requests come from one machine.
      perIp: { limit: 1_000_000, windowSeconds: 60 },
    },
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

const pictures: Record<SaleKind, string> = { goods: 'mug', coupon: 'ticket', 'red-packet': 'packet' }

export type RushProduct = {
  kind: SaleKind
  /** Units on sale, -1 for unlimited; the number of red packets. */
  stock: number
  /** Units of one order, and the limit of a shopper. */
  quantity: number
  /** The total of all red packets, in minor units. */
  totalAmount?: number
  /** The number of variants that the stock is divided among; absent: none. */
  variants?: number
  /** The databases that the stock is split over. Default 1. */
  shards?: number
  admitPerSecond?: number
  /** The fairness mode; shoppers get different traits (shopper.ts). Default: first come, and all shoppers are alike. */
  mode?: string
  /** Returns settings that depend on the creation time, epoch ms. Default: on sale for an hour. */
  timesAt?: (now: number) => object
}

/** With `--mode spread`, turns are spread over these first seconds. */
const spreadSeconds = 10

/** With `--mode spread`, the marketer starts the sale earlier than planned, once its pages are loaded. */
const hourMs = 3_600_000
