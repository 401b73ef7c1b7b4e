/** What is wrong with the sale form: found before it is sent, or by the API. */

import { admitPerSecondOf } from '../../../../core/gate/admission-rate.ts'
import { longestSpread, type Sale, type SaleDefinition } from '../../../../core/sale/sale.ts'
import type { Arguments } from '../../../messages/text.ts'
import type { ProblemSeen } from '../../lib/wire.ts'
import type { Key } from '../lib/kind-words.ts'
import { argumentsIn } from '../view.ts'
import { errorOf, type FieldError, type FormErrors, type Place, pastError, placeOf } from './field-errors.ts'
import { firstStart, totalUnits, windowsOf } from './form-summary.ts'
import { type FormText, fieldNames } from './form-text.ts'
import { inZone, readForm } from './values.ts'

/**
 * The definition to send, or every error. `before` is the form's text as it was opened, `sale` the sale that is edited.
 */
export function checkForm(
  typed: FormText,
  before: FormText,
  sale: Sale | undefined,
  now: number,
): ReturnType<typeof readForm> {
  const read = readForm(typed)
  // An edit of a sale that is over may change its words; only a new end must lie ahead.
  const past = sale === undefined || endOf(typed) !== endOf(inZone(before, typed.timeZone)) ? pastError(typed, now) : {}
  if (!read.ok) return { ok: false, errors: { ...past, ...read.errors } }
  return Object.keys(past).length > 0 ? { ok: false, errors: past } : read
}

function endOf({ windows, endsAt }: FormText): string {
  return windows.at(-1)?.endsAt ?? endsAt
}

/** Why this shop cannot sell a sale, whatever its state. */
const ofShop = ['amount-charged', 'no-checkout', 'loopback-origin', 'turnstile-missing'] as const

/** The error at the field that a refusal names; undefined when it names no input. */
export function refusedField(
  problem: ProblemSeen | undefined,
  typed: FormText,
  sale: Sale | undefined,
): FormErrors | undefined {
  const place = placeOf(problem?.field ?? '', typed)
  if (place === undefined) return undefined
  const { reason, values } = problem?.members ?? {}
  const cause = ofShop.find((one) => one === reason)
  if (cause !== undefined)
    return { [place]: { key: `refusal.${cause}` as FieldError['key'], args: argumentsIn(values) } }
  if (problem?.code === 'conflict') return { [place]: conflictAt(place, sale) }
  return { [place]: errorOf(place, typed) }
}

/** A well-formed value that the sale's state does not allow. */
function conflictAt(place: Place, sale: Sale | undefined): FieldError {
  if (place === 'saleId') return { key: 'error.taken' }
  if (place === 'shards') return { key: 'form.locked' }
  // Before the first start only the loaded stock is locked: the units, or everything that describes
  // the red packets.
  const isShelved = sale?.kind === 'red-packet' || /(?:^|\.)stock$/.test(place)
  return { key: isShelved && sale?.epoch === 0 ? 'form.onShelf' : 'form.locked' }
}

/** What a marketer would want to know of a valid sale before it is saved: sure facts, none of which forbids anything. */
type Warning = { key: Key; args?: Arguments }

/** The sale, and the time, epoch ms. */
type Check = (sale: SaleDefinition, now: number) => Warning | undefined

/** Too little for publishing and starting a sale with care. */
const soonMs = 5 * 60_000

/** Where the demo pictures are. */
const samplePath = '/assets/pictures/'

const startsSoon: Check = (sale, now) => {
  const leftMs = firstStart(sale) - now
  if (leftMs <= 0) return { key: 'warn.past' }
  return leftMs < soonMs ? { key: 'warn.soon' } : undefined
}

/** Warns when the clicks that the gate admits in a window cannot order its units, at `maxPerOrder` each. */
const tooSlow: Check = (sale) => {
  const rate = admitPerSecondOf(sale)
  for (const { startsAt, endsAt, stock } of windowsOf(sale)) {
    const most = Math.floor(((endsAt - startsAt) / 1000) * rate) * sale.maxPerOrder
    if (most < stock) return { key: 'warn.tooSlow', args: { rate, most, stock } }
  }
  return undefined
}

/** Refused when it is saved; the field says how many seconds are possible. */
const turnsTooLong: Check = (sale) => {
  const seconds = longestSpread(sale)
  return sale.spreadSeconds > seconds ? { key: 'warn.turnsTooLong', args: { seconds } } : undefined
}

const noCountries: Check = ({ kind, delivery }) =>
  kind === 'goods' && (delivery?.countries ?? []).length === 0 ? { key: 'warn.noCountries' } : undefined

const free: Check = ({ kind, price }) => (kind === 'goods' && price === 0 ? { key: 'warn.free' } : undefined)

/** Such as in a copy of a sale of the demo. */
const samplePicture: Check = ({ pictures }) =>
  pictures.some(({ src }) => src.startsWith(samplePath)) ? { key: 'warn.sample' } : undefined

const oneTakesAll: Check = (sale) => {
  const units = totalUnits(sale)
  return units !== undefined && units > 1 && sale.limitPerShopper >= units ? { key: 'warn.oneTakesAll' } : undefined
}

const checks: readonly Check[] = [startsSoon, turnsTooLong, tooSlow, free, oneTakesAll, noCountries, samplePicture]

/** The most urgent first. `now` is epoch ms. */
export function warningsOf(sale: SaleDefinition, now: number): Warning[] {
  return checks.flatMap((check) => check(sale, now) ?? [])
}

/**
 * Which complaints of the sale form stay after what is entered has changed. `refused` is what the shop refused, if the
 * complaints come from it; else they were found in the form.
 */
export type Complaints = { errors: FormErrors; refused?: FormText }

/**
 * A complaint stays while the form finds something wrong at its place. What only the shop found stays until
 * another value stands there. What is wrong at other places is said later.
 */
export function stillWrong({ errors, refused }: Complaints, text: FormText, found: FormErrors): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([place, error]) => {
      const now = found[place as keyof FormErrors]
      if (now !== undefined) return [[place, now]]
      return refused !== undefined && valueAt(refused, place) === valueAt(text, place) ? [[place, error]] : []
    }),
  )
}

/** What is entered in that field, or in the whole list that has the place. */
function valueAt(text: FormText, place: string): string {
  const name = fieldNames.find((known) => known === place)
  if (name !== undefined) return text[name]
  const list = (['windows', 'pictures', 'variants'] as const).find((known) => place.startsWith(known))
  return list === undefined ? '' : JSON.stringify(text[list])
}
