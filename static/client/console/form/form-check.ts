/** What is wrong with the sale form: found before it is sent, or by the API. */
import type { Sale } from '../../../../core/sale/sale.ts'
import type { ProblemSeen } from '../../lib/wire.ts'
import { errorOf, type FieldError, type FormErrors, type Place, pastError, placeOf } from './field-errors.ts'
import type { FormText } from './form-text.ts'
import { readForm } from './values.ts'

/**
 * The definition to send, or every error. `before` is the form's text as it was opened, `sale` the
 * sale that is edited.
 */
export function checkForm(
  typed: FormText,
  before: FormText,
  sale: Sale | undefined,
  now: number,
): ReturnType<typeof readForm> {
  const read = readForm(typed)
  // An edit of a sale that is over may change its words; only a new end must lie ahead.
  const past = sale === undefined || endOf(typed) !== endOf(before) ? pastError(typed, now) : {}
  if (!read.ok) return { ok: false, errors: { ...past, ...read.errors } }
  return Object.keys(past).length > 0 ? { ok: false, errors: past } : read
}

function endOf({ windows, endsAt }: FormText): string {
  return windows.at(-1)?.endsAt ?? endsAt
}

/** The error at the field that a refusal names; undefined when it names no input. */
export function refusedField(
  problem: ProblemSeen | undefined,
  typed: FormText,
  sale: Sale | undefined,
): FormErrors | undefined {
  const place = placeOf(problem?.field ?? '', typed)
  if (place === undefined) return undefined
  return { [place]: problem?.code === 'conflict' ? conflictAt(place, sale) : errorOf(place, typed) }
}

/** A well-formed value that the sale's state does not allow. */
function conflictAt(place: Place, sale: Sale | undefined): FieldError {
  if (place === 'saleId') return { key: 'error.taken' }
  if (place === 'shards') return { key: 'form.shardsPlaced' }
  // Before the first start only the loaded stock is locked: the units, or everything that describes
  // the red packets.
  const isShelved = sale?.kind === 'red-packet' || /(?:^|\.)stock$/.test(place)
  return { key: isShelved && sale?.epoch === 0 ? 'form.onShelf' : 'form.locked' }
}
