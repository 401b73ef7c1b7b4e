/** Brings a sale to its start, the way a marketer and a waiting page would. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { ControlClient } from '../../cli/control-client.ts'
import { parse } from '../../core/lib/parse.ts'
import { currency, goodsOf, type Product, type UnitsForSale } from './products.ts'

export type OpenSale = { saleId: string; startToken: string }

const pointer = z.object({
  phase: z.string(),
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
