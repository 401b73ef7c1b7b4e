/**
 * The actions of marketers on a sale, as pure functions from state to state (G1-G3). Repeating an action in its target state is
 * allowed: the step is `same`, and the caller publishes the sale again, which repairs what a crash left undone. The clock's
 * steps are in `sales/window-steps.ts`.
 */
import { isDeepStrictEqual } from 'node:util'
import { ownValue } from '../../core/lib/own-value.ts'
import { parse } from '../../core/lib/parse.ts'
import { majorText } from '../../core/money.ts'
import { optionFields } from '../../core/options.ts'
import { allPackets, maxPackets, packetBatches, packetsOfFirstWindow } from '../../core/packets/packets.ts'
import type { Refusal, RefusalReason } from '../../core/refusals.ts'
import { isLoopbackOrigin } from '../../core/sale/page-origin.ts'
import {
  definitionOf,
  earliestStart,
  hasEnded,
  maxSpreadFor,
  plansOf,
  removableFields,
  type Sale,
  type SaleDefinition,
  type SaleEdit,
  saleDefinition,
  stockOfVariants,
} from '../../core/sale/sale.ts'
import { editableOnceStarted, maxStock, settingValue } from '../../core/sale/settings.ts'
import { unitsOfVariant } from '../../core/sale/variants.ts'
import { earlyAccessMs, fieldsOfFirstWindow, windowFields } from '../../core/sale/windows.ts'
import type { ChargeLimits } from '../lib/shop/payment-provider.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { revised } from '../sales/changed-sale.ts'
import { openedAs } from '../sales/window-steps.ts'

type Invalid = { kind: 'invalid'; field: string } & ({ detail: string } | Refusal)

export type SaleStep = { kind: 'changed'; sale: Sale } | { kind: 'same' } | ({ kind: 'refused' } & Refusal) | Invalid

const same: SaleStep = { kind: 'same' }
const refused = (reason: RefusalReason, more: Omit<Refusal, 'reason'> = {}): SaleStep => ({
  kind: 'refused',
  reason,
  ...more,
})

const invalid = (field: string, detail: string): Invalid => ({ kind: 'invalid', field, detail })

/** Returns the changed sale under a new version, because a shopper's page can show the change. */
function changed(sale: Sale, now: number, change: Partial<Sale>): SaleStep {
  return { kind: 'changed', sale: revised(sale, now, change) }
}

/** Returns a new sale: not warmed, flag off, in its first window. `now` is epoch ms. */
export function newSale(definition: SaleDefinition, now: number): { kind: 'changed'; sale: Sale } | Invalid {
  const fault =
    faultOfWindows(definition) ??
    faultOfPackets(definition) ??
    faultOfSpread(definition) ??
    faultOfFields(definition, now)
  if (fault !== undefined) return fault
  const sale: Sale = {
    ...definition,
    windowIndex: 0,
    flag: 'off',
    epoch: 0,
    startToken: null,
    version: 1,
    warmed: false,
    databases: [],
    createdAt: now,
    updatedAt: now,
  }
  return { kind: 'changed', sale }
}

/** Rejects a sale that lies wholly in the past, because nobody could buy. `now` is epoch ms. */
export function faultOfEnd(
  { windows, endsAt }: Pick<SaleDefinition, 'windows' | 'endsAt'>,
  now: number,
): Invalid | undefined {
  const last = windows.at(-1)
  if ((last?.endsAt ?? endsAt) > now) return undefined
  const field = last === undefined ? 'endsAt' : 'windows'
  return invalid(field, `${field} must not lie in the past`)
}

/** Rejects a sale whose own fields differ from its first window, or whose stock has no room for the units of all windows. */
function faultOfWindows(definition: SaleDefinition): Invalid | undefined {
  const { windows } = definition
  const [first] = windows
  if (first === undefined) return undefined
  const field = windowFields.find((name) => definition[name] !== first[name])
  if (field !== undefined) return invalid(field, `${field} must be that of the first window`)
  if (definition.variants?.some(({ id, stock }) => stock !== ownValue(first.units, id)))
    return invalid('variants', 'variants must have the units of the first window as their stocks')
  const units = windows.reduce((sum, { stock }) => sum + stock, 0)
  if (units <= maxStock) return undefined
  return invalid('windows', `windows must have at most ${maxStock} units in total`)
}

/** Rejects a spread that gives some shoppers their turn after the end, when they could never buy. */
function faultOfSpread(definition: SaleDefinition): Invalid | undefined {
  const longest = maxSpreadFor(definition)
  if (definition.spreadSeconds === 0 || definition.spreadSeconds <= longest) return undefined
  const detail = `spreadSeconds must be at most ${longest}: each shopper has a turn before the end of each window, after early access`
  return invalid('spreadSeconds', detail)
}

/** Rejects a sale when the time of an option's field is over. */
function faultOfFields(sale: SaleDefinition, now: number): Invalid | undefined {
  const [fault] = plansOf(sale).flatMap((plan) => plan.faultAt(sale, now) ?? [])
  if (fault === undefined) return undefined
  const name = fault.path.join('.')
  return invalid(name, `${name} ${fault.message}`)
}

/** Rejects a red-packet sale whose units are not its packets, or that has more packets than can be loaded. */
function faultOfPackets(definition: SaleDefinition): Invalid | undefined {
  const [first] = packetBatches(definition)
  if (definition.packets === undefined || first === undefined) return undefined
  const { packets, windows, stock } = definition
  if (packets.count !== first.count || packets.totalAmount !== first.totalAmount)
    return invalid('packets', 'packets must be those of the first window')
  if (windows.length === 0 && stock !== packets.count) return invalid('stock', 'stock must be the number of packets')
  if (allPackets(definition).count <= maxPackets) return undefined
  return invalid('windows', `windows must have at most ${maxPackets} packets in total`)
}

/** Warms the sale. `choose` names the database of each shard, up to the sale's `shards`. */
export function warm(sale: Sale, now: number, choose: (sale: Sale) => readonly string[]): SaleStep {
  if (sale.warmed) return same
  if (hasEnded(sale, now)) return refused('ended')
  const databases = choose(sale)
  const fault = faultOfShards(sale, databases.length) ?? faultOfFields(sale, now)
  return fault ?? changed(sale, now, { warmed: true, databases })
}

/** Returns why this shop with so many `databases` cannot sell a valid sale; undefined when it can. */
export function faultInShop(
  sale: Sale,
  { chargeLimits, hasCheckout, allowsLoopback }: Pick<ShopContext, 'chargeLimits' | 'hasCheckout' | 'allowsLoopback'>,
  databases: number,
): Exclude<SaleStep, { kind: 'changed' | 'same' }> | undefined {
  if (sale.checkoutUrl !== undefined && !hasCheckout)
    return { kind: 'refused', reason: 'no-checkout', field: 'checkoutUrl' }
  if (!allowsLoopback && sale.allowedOrigins?.some(isLoopbackOrigin))
    return { kind: 'refused', reason: 'loopback-origin', field: 'allowedOrigins' }
  return faultOfShards(sale, databases) ?? faultOfPrice(sale, chargeLimits(sale.currency))
}

/** Rejects more shards than databases: two shards in one database sell no faster than one. */
function faultOfShards({ shards }: Pick<Sale, 'shards'>, databases: number): Invalid | undefined {
  if (shards <= databases) return undefined
  const detail = `shards must be at most ${databases}: this shop has ${databases} ${databases === 1 ? 'database' : 'databases'} for stock`
  return invalid('shards', detail)
}

/** Rejects amounts that the payment provider cannot charge: such orders would fail at their payment. */
function faultOfPrice(
  { price, currency, checkoutUrl, maxPerOrder, delivery }: Sale,
  { step, min, max }: ChargeLimits,
): Invalid | undefined {
  if (checkoutUrl !== undefined || price === 0) return undefined
  const costs = Object.values(delivery?.costs ?? {})
  const isTaken = (amount: number) => amount % step === 0 && amount >= min && amount <= max
  const field = [
    !isTaken(price) && 'price',
    costs.some((cost) => !isTaken(price + cost)) && 'delivery.costs',
    price * maxPerOrder + Math.max(0, ...costs) > max && 'maxPerOrder',
  ].find((name) => name !== false)
  if (field === undefined) return undefined
  const shown = (amount: number) => majorText(amount, currency)
  const values = { step: shown(step), least: shown(min), most: shown(max), currency }
  return { kind: 'invalid', field, reason: 'amount-charged', values }
}

/**
 * Flips the flag on: a new epoch with a new start token. Before `startsAt` this arms the sale and the clock opens it;
 * `startsNow` first moves `startsAt` to `now`, or to the earliest start that an option allows. A late start counts from `now`.
 */
export function start(sale: Sale, now: number, newToken: () => string, startsNow: boolean): SaleStep {
  if (hasEnded(sale, now)) return refused('ended')
  if (sale.flag === 'paused') return refused('paused')
  const startsAt = startsNow ? Math.min(sale.startsAt, earliestStart(sale, now)) : sale.startsAt
  if (sale.flag !== 'on') {
    const moved = { ...sale, startsAt: lateStart({ ...sale, startsAt }, now) }
    return changed(moved, now, openedAs(moved, now, newToken))
  }
  const moved = { ...sale, startsAt }
  return startsAt === sale.startsAt ? same : changed(moved, now, { armed: stillArmed(moved, now) })
}

/**
 * Returns when turns and early access begin after a late start: now, or as early as all turns still come before the end. The
 * plan of an option counts from the planned start.
 */
function lateStart(sale: Sale, now: number): number {
  const { startsAt, endsAt, spreadSeconds, earlyAccess } = sale
  const latest = endsAt - 1 - spreadSeconds * 1000 - earlyAccessMs(earlyAccess)
  return plansOf(sale).length === 0 ? Math.max(startsAt, Math.min(now, latest)) : startsAt
}

/** Pauses the sale. Between two windows this keeps the next one from opening. */
export function pause(sale: Sale, now: number): SaleStep {
  if (sale.flag === 'paused') return same
  if (hasEnded(sale, now)) return refused('ended')
  if (sale.epoch === 0) return refused('not-started')
  return changed(sale, now, { flag: 'paused' })
}

/** Pauses the sale and records that `resumeWithAll` may resume it. */
export function pauseWithAll(sale: Sale, now: number): SaleStep {
  const step = pause(sale, now)
  return step.kind === 'changed' ? { ...step, sale: { ...step.sale, pausedWithAll: true } } : step
}

/**
 * Resumes in the same epoch, so pages that hold its start token stay valid. A window that began while the sale was paused was
 * never open and has no token: it opens as an epoch of its own.
 */
export function resume(sale: Sale, now: number, newToken: () => string): SaleStep {
  if (sale.flag === 'on') return same
  if (hasEnded(sale, now)) return refused('ended')
  if (sale.flag === 'off') return refused('not-paused')
  if (sale.startToken !== null) {
    return changed(sale, now, { flag: 'on', armed: stillArmed(sale, now), pausedWithAll: undefined })
  }
  const moved = { ...sale, startsAt: lateStart(sale, now) }
  return changed(moved, now, { ...openedAs(moved, now, newToken), pausedWithAll: undefined })
}

const stillArmed = ({ armed, startsAt }: Sale, now: number) => (armed && now < startsAt) || undefined

/** Resumes the sale only if it was paused with all others. */
export function resumeWithAll(sale: Sale, now: number, newToken: () => string): SaleStep {
  return sale.pausedWithAll === true ? resume(sale, now, newToken) : same
}

/** Closes the sale permanently. */
export function close(sale: Sale, now: number): SaleStep {
  return sale.flag === 'closed' ? same : changed(sale, now, { flag: 'closed', endedAt: now })
}

const fieldsOfWindows: ReadonlySet<string> = new Set(['windows', 'packets', ...windowFields])

/**
 * Applies an edit. Shoppers ordered under a price, limits and a currency, so those are fixed once the sale was started. So are
 * the windows, because a later window is announced while an earlier one sells. Names of variants may change.
 */
export function edit(sale: Sale, now: number, changes: SaleEdit): SaleStep {
  const names = Object.keys(changes)
  const forbidden = names.find((name) => sale.epoch > 0 && !editableOnceStarted.has(name))
  if (forbidden !== undefined) return refused('field-locked', { field: forbidden, values: { field: forbidden } })
  if (sale.epoch > 0 && sale.windows.length > 0 && changes.endsAt !== undefined) {
    return refused('windows-locked', { field: 'endsAt' })
  }
  if (sale.flag === 'closed') return refused('ended')
  const moved = names.find((name) => fieldsOfWindows.has(name))
  if (moved !== undefined && sale.windowIndex > 0) return refused('first-window-ended', { field: moved })
  const whole = parse(saleDefinition, {
    ...definitionOf(sale),
    // New windows set start, end and stock, unless the edit names those.
    ...fieldsOfFirstWindow(changes.windows),
    ...packetsOf(sale, changes),
    ...changes,
    ...variantsOf(sale, changes),
    ...removedBy(changes),
    throttle: { ...sale.throttle, ...changes.throttle },
  })
  if (!whole.ok) return invalid(whole.field, whole.detail)
  const bringsUnits = moved !== undefined || (changes.variants !== undefined && !sale.warmed)
  const fault = bringsUnits ? (faultOfWindows(whole.value) ?? faultOfPackets(whole.value)) : undefined
  if (fault !== undefined) return fault
  const spreadFault = faultOfSpread(whole.value)
  if (spreadFault !== undefined) return spreadFault
  if (sale.warmed && moved !== undefined && !isDeepStrictEqual(packetBatches(whole.value), packetBatches(sale))) {
    return refused('packets-split', { field: moved })
  }
  if (sale.warmed && sale.kind === 'red-packet' && whole.value.currency !== sale.currency) {
    return refused('packets-currency', { field: 'currency' })
  }
  const loaded = sale.warmed ? faultOfLoaded(sale, whole.value) : undefined
  if (loaded !== undefined) return loaded
  const fixed = sale.warmed ? faultOfPlanned(sale, whole.value) : undefined
  if (fixed !== undefined) return fixed
  if (sale.warmed && whole.value.shards !== sale.shards) return refused('shards-placed', { field: 'shards' })
  const isRevived = sale.warmed && hasEnded(sale, now) && !hasEnded({ ...sale, ...whole.value }, now)
  if (sale.kind === 'red-packet' && isRevived) {
    return refused('money-returned', moved === undefined ? {} : { field: moved })
  }
  const before: Readonly<Record<string, unknown>> = sale
  const edited = { ...whole.value, ...removedBy(changes) }
  const differs = Object.entries(edited).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
  if (!differs) return same
  return (sale.epoch === 0 ? faultOfEnd(edited, now) : undefined) ?? changed(sale, now, edited)
}

/** Rejects a change of what a warmed sale's plan has published, and a plan for a warmed sale without one. */
function faultOfPlanned(sale: Sale, next: SaleDefinition): SaleStep | undefined {
  for (const { name, plan } of optionFields) {
    if (plan === undefined) continue
    const isFree = (field: string) => plan.free.has(field) && (field !== 'endsAt' || next.endsAt > sale.endsAt)
    const names = settingValue(sale, name) === undefined ? [name] : Object.keys({ ...definitionOf(sale), ...next })
    const field = names.find(
      (one) => !isFree(one) && !isDeepStrictEqual(settingValue(next, one), settingValue(sale, one)),
    )
    if (field !== undefined) return refused(plan.fixedBy, { field, values: { field } })
  }
  return undefined
}

/** Returns the settings that an edit removes by setting them to null. */
function removedBy(edit: SaleEdit): Partial<Record<(typeof removableFields)[number], undefined>> {
  return Object.fromEntries(removableFields.filter((name) => edit[name] === null).map((name) => [name, undefined]))
}

/** Returns the number of new packets, or of windows with packets, unless the edit names the rest as well. */
function packetsOf({ kind }: Sale, { packets, windows }: SaleEdit): Readonly<Record<string, unknown>> {
  if (kind !== 'red-packet') return {}
  if (packets !== undefined) return { stock: packets.count }
  return windows === undefined || windows.length === 0 ? {} : { packets: packetsOfFirstWindow(windows) }
}

/** Returns new variants and the stock that they set, unless the edit names it or has windows. `[]` removes the variants. */
function variantsOf(sale: Sale, { variants, windows, stock }: SaleEdit): Partial<SaleDefinition> {
  const units = windows?.[0]?.units
  if (variants === undefined) {
    if (sale.variants === undefined || units === undefined) return {}
    return { variants: sale.variants.map((variant) => ({ ...variant, stock: unitsOfVariant(units, variant.id) })) }
  }
  if (variants.length === 0) return { variants: undefined }
  const isGiven = stock !== undefined || (windows !== undefined && windows.length > 0)
  return { variants, ...(!isGiven && { stock: stockOfVariants(variants) }) }
}

/** Rejects edits of a loaded stock: only a stock change moves its numbers, and variants may only change their names. */
function faultOfLoaded(sale: Sale, next: SaleDefinition): SaleStep | undefined {
  const idsOf = ({ variants = [] }: Pick<Sale, 'variants'>) => variants.map(({ id }) => id)
  if (!isDeepStrictEqual(idsOf(next), idsOf(sale))) return refused('variants-loaded', { field: 'variants' })
  if (next.variants?.some(({ stock }, at) => stock !== sale.variants?.[at]?.stock)) {
    return refused('stock-loaded', { field: 'variants' })
  }
  return next.stock === sale.stock ? undefined : refused('stock-loaded', { field: 'stock' })
}
