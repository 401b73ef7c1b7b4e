/** What the edge knows of a sale: written by control, read by every instance of the gate and compared with the table. */
import { challengeKinds } from '../../core/gate/challenge.ts'
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { Flag } from '../../core/sale/phase.ts'
import { isInvitedOnly, type Sale, type ThrottleRule } from '../../core/sale/sale.ts'
import type { SoldOutVariants } from '../../core/sale/variants.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import type { Pipelined } from '../client.ts'
import { type Command, type Commander, command } from '../command.ts'
import { UnexpectedReply, wrapError } from '../errors.ts'
import { admissionsKey, demandKey, gateKey, invitedKey } from '../keys.ts'
import { flag, integer, kindOf, list, startToken, text } from '../reply.ts'
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

/** The sale's definition, and the checks of each request. `invitedOnly`: only shoppers on its list may buy. */
type GateRules = Pick<
  Sale,
  'kind' | 'throttle' | 'minLevel' | 'challenge' | 'requirePass' | 'spreadSeconds' | 'earlyAccess' | 'allowedOrigins'
> & { invitedOnly?: true }

/**
 * The facts control publishes to the gate. Times are epoch ms; `nextStartsAt` is the start of the
 * next window, or null. `frozen`: no buying while the stock is recovered.
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
  rules: GateRules
  frozen: boolean
  /** The sale's databases, for the functions that read no table. */
  databases: readonly string[]
}

/** The facts of `sale` to publish to the gate. */
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
 * `soldOutRevision` and `restockedRevision` are the latest stock revisions that sold out (-1: none)
 * and that were restocked (0: the first). `soldOut` follows from them. `soldOutVariants` are the
 * variants of which nothing was left in a revision, absent before there were some: they count while
 * that has reached `restockedRevision`. `freezes` counts each freeze and each end of one.
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
  const { allowedOrigins = [] } = rules
  const args = [...opening, packRules(rules), frozen ? 1 : 0, databases.join(' '), allowedOrigins.join(' ')].map(String)
  const [code] = await gateScript.run(redis, [gateKey(facts.saleId)], args)
  kindOf(gateCodes, code, 'gate')
}

function packRules(rules: GateRules): string {
  const { kind, throttle, minLevel, challenge, requirePass, spreadSeconds, earlyAccess, invitedOnly } = rules
  const { perShopper, perIp } = throttle
  const counts = [perShopper, perIp].flatMap(({ limit, windowSeconds }) => [limit, windowSeconds])
  const own = [...counts, minLevel, challenge, kind, requirePass, spreadSeconds]
  if (invitedOnly) return [...own, 'invited'].join(' ')
  return [...own, ...(earlyAccess ? [earlyAccess.minutes, earlyAccess.minLevel] : [])].join(' ')
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
  const args = [String(stockRevision), variants.join(' ')]
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
  'origins',
]

/**
 * The facts of a published sale, in one command; undefined for any other.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readGate(redis: Commander, saleId: SaleId): Promise<GateFacts | undefined> {
  return factsIn(await command(redis, readOf(saleId)))
}

/** The command whose reply `factsIn` reads. */
const readOf = (saleId: SaleId): Command => ['HMGET', gateKey(saleId), ...fields]

/** @throws UnexpectedReply */
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
    rules: { ...unpackRules(rules), ...originsIn(revisions[4]) },
    frozen: integer(frozen, 'frozen') === 1,
    databases: namesIn(databases),
    soldOut: soldOutRevision >= restockedRevision,
    soldOutRevision,
    restockedRevision,
    freezes: integer(revisions[3] ?? 0, 'freezes'),
    ...(revisions[2] !== null && { soldOutVariants: soldOutVariantsIn(revisions[2]) }),
  }
}

/** `<revision> <id> <id>`, as publish-variants.lua writes it. */
function soldOutVariantsIn(stored: unknown): SoldOutVariants {
  const [revision, ...ids] = text(stored, 'soldOutVariants').split(' ')
  return { revision: integer(revision, 'soldOutVariants'), ids }
}

/** The latest stock revision that the gate knows of. */
export function latestRevisionOf({
  soldOutRevision,
  restockedRevision,
  soldOutVariants,
}: Pick<GateFacts, 'soldOutRevision' | 'restockedRevision' | 'soldOutVariants'>): number {
  return Math.max(soldOutRevision, restockedRevision, soldOutVariants?.revision ?? -1)
}

/** The databases of a sale; undefined for one that the gate does not know. @throws RedisUnavailable, UnexpectedReply */
export async function readDatabases(redis: Commander, saleId: SaleId): Promise<string[] | undefined> {
  const found = list(await command(redis, ['HMGET', gateKey(saleId), 'flag', 'databases']), 'gate')
  return found[0] === null ? undefined : namesIn(found[1])
}

function namesIn(packed: unknown): string[] {
  const names = text(packed, 'names')
  return names === '' ? [] : names.split(' ')
}

/** Absent for a sale that no page of another site may sell. */
function originsIn(packed: unknown): Pick<GateRules, 'allowedOrigins'> {
  const allowedOrigins = namesIn(packed)
  return allowedOrigins.length === 0 ? {} : { allowedOrigins }
}

/** Incomplete rules would let requests in, so they count as missing. */
function unpackRules(packed: unknown): GateRules {
  const [shopper, shopperWindow, address, addressWindow, ...others] = text(packed, 'rules').split(' ')
  const [minLevel, challengeWord, kind, requirePass, spreadSeconds, ...buyers] = others
  const challenge = challengeKinds.find((one) => one === challengeWord)
  if (challenge === undefined) throw new UnexpectedReply('rules are not whole')
  if (requirePass !== 'on' && requirePass !== 'off') throw new UnexpectedReply('rules are not whole')
  return {
    kind: kindIn(kind),
    throttle: {
      perShopper: ruleOf(shopper, shopperWindow),
      perIp: ruleOf(address, addressWindow),
    },
    minLevel: integer(minLevel, 'level'),
    challenge,
    requirePass,
    spreadSeconds: integer(spreadSeconds, 'spreadSeconds'),
    ...buyersIn(buyers),
  }
}

/** Who may buy first, or alone: two more words with early access, one for a sale by invitation. */
function buyersIn([first, minLevel]: readonly string[]): Pick<GateRules, 'earlyAccess' | 'invitedOnly'> {
  if (first === undefined) return {}
  if (first === 'invited') return { invitedOnly: true }
  return { earlyAccess: { minutes: integer(first, 'minutes'), minLevel: integer(minLevel, 'level') } }
}

function kindIn(word: string | undefined): SaleKind {
  if (word === 'goods' || word === 'coupon' || word === 'red-packet') return word
  throw new UnexpectedReply('rules name a kind that is none')
}

const ruleOf = (limit: unknown, windowSeconds: unknown): ThrottleRule => ({
  limit: integer(limit, 'limit'),
  windowSeconds: integer(windowSeconds, 'window'),
})

/** How many sales are read in one request. */
const salesPerRead = 200

/**
 * The facts of many sales; those that the gate does not know are missing.
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
