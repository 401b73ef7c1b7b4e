/**
 * Sales that forbid a deployment now, read from the public pages of the running shop: the first
 * page names the sales, and each has a pointer with its times. It needs no credentials, so a
 * workflow can run it before it deploys.
 */
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { pointerPath } from '../../core/sale/pointer.ts'
import { maxOnIndex } from '../../functions/sales/publishing/pages.ts'
import type { Ask } from '../smoke/ask.ts'

/** No sale may start within this time: a new gate starts cold, and a rollback takes minutes. */
const quietMs = 3_600_000

/** The part of a pointer that matters here; times are epoch ms. */
export type SaleTimes = { phase: string; startsAt: number; endsAt: number; nextStartsAt: number | null }

const pointer: z.ZodMiniType<SaleTimes> = z.object({
  phase: z.string(),
  startsAt: z.number(),
  endsAt: z.number(),
  nextStartsAt: z.nullable(z.number()),
})

/** Why a sale forbids a deployment at `now`; undefined if it does not. */
export function reasonToWait({ phase, startsAt, endsAt, nextStartsAt }: SaleTimes, now: number): string | undefined {
  if (phase === 'ended' || phase === 'draft') return undefined
  if (startsAt <= now && now < endsAt && phase !== 'sold-out') return 'is open, or may open at any moment'
  const starts = [startsAt, nextStartsAt ?? 0].filter((at) => at > now && at - now <= quietMs)
  if (starts.length === 0) return undefined
  return `starts in ${Math.ceil((Math.min(...starts) - now) / 60_000)} min`
}

/**
 * One line for each reason not to deploy now. A sale that cannot be read is a reason.
 * @throws NoAnswer
 */
export async function salesInTheWay(ask: Ask, now: number): Promise<string[]> {
  const index = await ask('/')
  if (index.status !== 200) return [`the first page of the shop answers ${index.status}`]
  const saleIds = salesOn(index.text)
  const reasons = await Promise.all(
    saleIds.map(async (saleId) => {
      const reply = await ask(`/${pointerPath(saleId)}`)
      const read = readJson(pointer, reply.text)
      if (reply.status !== 200 || !read.ok) return `${saleId} cannot be read (${reply.status})`
      const reason = reasonToWait(read.value, now)
      return reason === undefined ? undefined : `${saleId} ${reason}`
    }),
  )
  const found = reasons.filter((reason) => reason !== undefined)
  // The page lists no more sales, and an unlisted one may be open.
  if (saleIds.length >= maxOnIndex) found.push(`the shop lists ${saleIds.length} sales and may have more`)
  return found
}

function salesOn(page: string): SaleId[] {
  const named = [...page.matchAll(/href="\/sales\/([^"/]+)\/"/g)].map(([, name]) => parseSaleId(name))
  return [...new Set(named.filter((saleId) => saleId !== undefined))]
}
