/** Which complaints of the sale form stay after what is entered has changed. */
import type { FormErrors } from './field-errors.ts'
import { type FormText, fieldNames } from './form-text.ts'

/** `refused` is what the shop refused, if the complaints come from it; else they were found in the form. */
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
