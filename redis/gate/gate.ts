/** The facts of a sale for the gate: control publishes them, instances of the gate read them, `reconcile` repairs them. */
import * as z from 'zod/mini'
import { challengeKinds } from '../../core/gate/challenge.ts'
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { saleKinds } from '../../core/sale/kinds.ts'
import type { Flag } from '../../core/sale/phase.ts'
import { isInvitedOnly, type Sale } from '../../core/sale/sale.ts'
import type { SoldOutVariants } from '../../core/sale/variants.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import type { Pipelined } from '../client.ts'
import { type Command, type Commander, command } from '../command.ts'
import { wrapError } from '../errors.ts'
import { admissionsKey, demandKey, gateKey, invitedKey } from '../keys.ts'
import { flag, integer, jsonReply, kindOf, list, startToken } from '../reply.ts'
import { defineScript } from '../script.ts'
import gateSource from './gate.lua'
import raiseSource from './publish-stock.lua'
import variantsSource from './publish-variants.lua'

// Marked pure: a bundle carries only the scripts that it runs.
const gateScript = /* @__PURE__ */ defineScript('gate', gateSource)
const gateCodes = { set: 1, superseded: 2 } as const
const publishStockScript = /* @__PURE__ */ defineScript('publish-stock', raiseSource)
const publishStockCodes = { published: 1, unchanged: 2 } as const
const publishVariantsScript = /* @__PURE__ */ defineScript('publish-variants', variantsSource)
const publishVariantsCodes = { published: 1, unchanged: 2 } as const

const count = z.int()
const throttleRule = z.object({ limit: count, windowSeconds: count })
const texts = z.array(z.string())

/**
 * The rules of a sale for each request. `invitedOnly`: only shoppers on its list may buy. `allowedOrigins`: pages of other
 * sites that may sell it. Incomplete rules would admit requests, so they are an error.
 */
const gateRules = z.object({
  kind: z.enum(saleKinds),
  throttle: z.object({ perShopper: throttleRule, perIp: throttleRule }),
  minLevel: count,
  challenge: z.enum(challengeKinds),
  requirePass: z.enum(['on', 'off']),
  spreadSeconds: count,
  earlyAccess: z.optional(z.object({ minutes: count, minLevel: count })),
  invitedOnly: z.optional(z.literal(true)),
  allowedOrigins: z.optional(texts),
})

const soldOutVariants = z.object({ revision: count, ids: texts })

/**
 * The facts that control publishes to the gate. Times are epoch ms. `nextStartsAt` is the start of the next window, or null.
 * `frozen`: nobody may buy while the stock is recovered.
 */
export type GateFactsToWrite = {
  saleId: SaleId
  flag: Flag
  epoch: number
  startToken: string | null
  startsAt: number
  endsAt: number
  nextStartsAt: number | null
  version: number
  rules: z.infer<typeof gateRules>
  frozen: boolean
  /** The databases of the stock, for functions that do not read the table. */
  databases: readonly string[]
}

export function gateFactsOf(sale: Sale, { frozen }: { frozen: boolean }): GateFactsToWrite {
  const { saleId, flag, epoch, startToken, startsAt, endsAt, version } = sale
  const { kind, throttle, minLevel, challenge, requirePass, spreadSeconds, databases } = sale
  const { allowedOrigins = [] } = sale
  const { earlyAccess } = sale
  const nextStartsAt = nextWindow(sale)?.startsAt ?? null
  const own = { kind, throttle, minLevel, challenge, requirePass, spreadSeconds }
  const rules = {
    ...own,
    ...(earlyAccess && { earlyAccess }),
    ...(isInvitedOnly(sale) && { invitedOnly: true as const }),
    ...(allowedOrigins.length > 0 && { allowedOrigins }),
  }
  const times = { startsAt, endsAt, nextStartsAt }
  return { saleId, flag, epoch, startToken, ...times, version, rules, frozen, databases }
}

/**
 * `soldOutRevision` is the latest stock revision that sold out (-1: none), `restockedRevision` the latest that was restocked
 * (0: the first). `soldOut` is derived from them. `soldOutVariants` are the variants that were sold out in a revision, absent
 * if there were none; they are valid while that revision is not below `restockedRevision`. `freezes` counts each freeze and
 * each end of one.
 */
export type GateFacts = Omit<GateFactsToWrite, 'saleId'> & {
  soldOut: boolean
  soldOutRevision: number
  restockedRevision: number
  soldOutVariants?: SoldOutVariants
  freezes: number
}

/** Publishes `facts` unless the gate has a newer version. Safe to repeat. @throws RedisUnavailable, UnexpectedReply */
export async function setGate(redis: Commander, facts: GateFactsToWrite): Promise<void> {
  const { version, flag, epoch, startToken, startsAt, endsAt, nextStartsAt } = facts
  const { rules, frozen, databases } = facts
  const opening = [version, flag, epoch, startToken ?? '', startsAt, endsAt, nextStartsAt ?? '']
  // Parsing drops unknown members.
  const stored = JSON.stringify(gateRules.parse(rules))
  const args = [...opening, stored, frozen ? 1 : 0, JSON.stringify(databases)].map(String)
  const [code] = await gateScript.run(redis, [gateKey(facts.saleId)], args)
  kindOf(gateCodes, code, 'gate')
}

/** Publishes that the stock sold out at `stockRevision` (G4). Repeatable. @throws RedisUnavailable, UnexpectedReply */
export async function publishSoldOut(redis: Commander, saleId: SaleId, stockRevision: number): Promise<void> {
  await raise(redis, saleId, 'soldOutRevision', stockRevision)
}

/** Publishes these variants as sold out at `stockRevision` (N1, G4). @throws RedisUnavailable, UnexpectedReply */
export async function publishSoldOutVariants(
  redis: Commander,
  saleId: SaleId,
  stockRevision: number,
  variants: readonly string[],
): Promise<void> {
  const args = [String(stockRevision), JSON.stringify(variants)]
  const [code] = await publishVariantsScript.run(redis, [gateKey(saleId)], args)
  kindOf(publishVariantsCodes, code, 'publish-variants')
}

/** Publishes that units were added, by `stockRevision` (G7). Repeatable. @throws RedisUnavailable, UnexpectedReply */
export async function publishRestocked(redis: Commander, saleId: SaleId, stockRevision: number): Promise<void> {
  await raise(redis, saleId, 'restockedRevision', stockRevision)
}

async function raise(redis: Commander, saleId: SaleId, field: string, stockRevision: number): Promise<void> {
  const [code] = await publishStockScript.run(redis, [gateKey(saleId)], [field, String(stockRevision)])
  kindOf(publishStockCodes, code, 'publish-stock')
}

/** Removes facts, admissions, demand and list of an archived sale. Safe to repeat. @throws RedisUnavailable */
export async function removeGate(redis: Commander, saleId: SaleId): Promise<void> {
  const keys = [gateKey(saleId), admissionsKey(saleId), demandKey(saleId), invitedKey(saleId)]
  await command(redis, ['UNLINK', ...keys])
}

const fields = [
  'flag',
  'epoch',
  'startToken',
  'startsAt',
  'endsAt',
  'nextStartsAt',
  'version',
  'rules',
  'frozen',
  'databases',
  'soldOutRevision',
  'restockedRevision',
  'soldOutVariants',
  'freezes',
]

/**
 * Reads the facts of a published sale in one command; undefined for any other.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readGate(redis: Commander, saleId: SaleId): Promise<GateFacts | undefined> {
  return factsIn(await command(redis, readOf(saleId)))
}

/** Returns the command whose reply `factsIn` reads. */
const readOf = (saleId: SaleId): Command => ['HMGET', gateKey(saleId), ...fields]

/** Parses the reply to `readOf`. @throws UnexpectedReply */
function factsIn(reply: unknown): GateFacts | undefined {
  const found = list(reply, 'gate')
  if (found[0] === null) return undefined
  const [, epoch, token, startsAt, endsAt, nextStartsAt, version, rules, frozen, ...others] = found
  const [databases, ...revisions] = others
  const soldOutRevision = integer(revisions[0] ?? -1, 'soldOutRevision')
  const restockedRevision = integer(revisions[1] ?? 0, 'restockedRevision')
  return {
    flag: flag(found[0]),
    epoch: integer(epoch, 'epoch'),
    startToken: startToken(token),
    startsAt: integer(startsAt, 'startsAt'),
    endsAt: integer(endsAt, 'endsAt'),
    nextStartsAt: nextStartsAt === '' ? null : integer(nextStartsAt, 'nextStartsAt'),
    version: integer(version, 'version'),
    rules: jsonReply(gateRules, rules, 'rules'),
    frozen: integer(frozen, 'frozen') === 1,
    databases: jsonReply(texts, databases, 'databases'),
    soldOut: soldOutRevision >= restockedRevision,
    soldOutRevision,
    restockedRevision,
    freezes: integer(revisions[3] ?? 0, 'freezes'),
    ...(revisions[2] !== null && { soldOutVariants: jsonReply(soldOutVariants, revisions[2], 'soldOutVariants') }),
  }
}

/** Returns the latest stock revision that the gate knows of. */
export function latestRevisionOf({
  soldOutRevision,
  restockedRevision,
  soldOutVariants,
}: Pick<GateFacts, 'soldOutRevision' | 'restockedRevision' | 'soldOutVariants'>): number {
  return Math.max(soldOutRevision, restockedRevision, soldOutVariants?.revision ?? -1)
}

/** Reads the databases of a sale; undefined for one that the gate does not know. @throws RedisUnavailable, UnexpectedReply */
export async function readDatabases(redis: Commander, saleId: SaleId): Promise<string[] | undefined> {
  const found = list(await command(redis, ['HMGET', gateKey(saleId), 'flag', 'databases']), 'gate')
  return found[0] === null ? undefined : jsonReply(texts, found[1], 'databases')
}

const salesPerRead = 200

/**
 * Reads the facts of many sales, without sales that the gate does not know.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readGates(redis: Pipelined, saleIds: readonly SaleId[]): Promise<ReadonlyMap<SaleId, GateFacts>> {
  const found = new Map<SaleId, GateFacts>()
  for (const some of slicesOf(saleIds, salesPerRead)) {
    const replies = await redis.pipeline(some.map(readOf)).catch((error: unknown) => {
      throw wrapError('HMGET', error)
    })
    for (const [at, saleId] of some.entries()) {
      const reply = replies[at]
      if (reply instanceof Error) throw wrapError('HMGET', reply)
      const facts = factsIn(reply)
      if (facts !== undefined) found.set(saleId, facts)
    }
  }
  return found
}
