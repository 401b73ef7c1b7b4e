/** Brings a sale to the moment its doors open, the way a marketer and a waiting page would. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { ControlClient } from '../../cli/control-client.ts'
import { parse } from '../../core/parse.ts'
import { currency, goodsOf, type Shelf, type Wares } from './wares.ts'

export type OpenSale = { saleId: string; startToken: string }

const pointer = z.object({ phase: z.string(), src: z.string(), remaining: z.number(), version: z.number() })
const countdown = z.object({ started: z.boolean(), startToken: z.optional(z.string()) })

/** A sale of goods, open. */
export function openSale(url: string, control: ControlClient, shelf: Shelf): Promise<OpenSale> {
  return openSaleOf(url, control, goodsOf(shelf))
}

/** Creates, warms and starts a sale of `wares`, and reads its start token from the public countdown. */
export async function openSaleOf(url: string, control: ControlClient, wares: Wares): Promise<OpenSale> {
  const now = Date.now()
  const saleId = `rush-${now.toString(36)}`
  await control.create(saleOf(saleId, now, wares))
  await control.warm(saleId)
  await control.start(saleId, { now: false })
  return { saleId, startToken: await readStartToken(url, saleId) }
}

/** The definition of a sale of goods to be run for; `startsAt` is epoch ms. */
export function rushSale(saleId: string, startsAt: number, shelf: Shelf) {
  return saleOf(saleId, startsAt, goodsOf(shelf))
}

function saleOf(saleId: string, startsAt: number, wares: Wares) {
  return {
    saleId,
    title: 'Rush',
    description: 'A sale that a crowd runs for.',
    currency,
    ...wares,
    startsAt,
    endsAt: startsAt + 3_600_000,
    // The whole crowd comes from one machine.
    throttle: {
      perIp: { limit: 1_000_000, windowSeconds: 60 },
      perSale: { limit: 1_000_000, windowSeconds: 60 },
    },
  }
}

/** The start token in the public countdown, as soon as it is there. Throws when it does not come. */
export async function readStartToken(url: string, saleId: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { src } = await readPointer(url, saleId)
    const source = await (await fetch(url + src)).text()
    const published = parse(
      countdown,
      JSON.parse(source.slice(source.indexOf('{'), source.lastIndexOf('}') + 1)),
    )
    if (published.ok && published.value.startToken !== undefined) {
      return published.value.startToken
    }
    await sleep(100)
  }
  throw new Error(`${saleId} was started and its public countdown still says it was not`)
}

/** The public pointer of a sale, as a page reads it. */
export async function readPointer(url: string, saleId: string): Promise<z.infer<typeof pointer>> {
  const response = await fetch(`${url}/sales/${saleId}/current.json`)
  const parsed = parse(pointer, await response.json())
  if (!parsed.ok) throw new Error(`the pointer of ${saleId} is not what this version knows: ${parsed.detail}`)
  return parsed.value
}
