import { fairness } from '../../console/form/fairness.tsx'
import { checkForm, type FormErrors } from '../../console/form/faults.ts'
import { type FormText, freshText, numberAt } from '../../console/form/form-text.ts'
import { type TextPart, withPart } from '../../console/parts/text-parts.ts'

/** The text with other parts, by their paths. */
export const entering = (text: FormText, parts: Readonly<Record<string, TextPart>>): FormText =>
  Object.entries(parts).reduce((all, [path, part]) => withPart(all, path, part), text)

/** The text of a form for goods, with every field that is asked for filled in. */
export const blueBowl: FormText = entering(freshText('zh-CN', 0), {
  saleId: 'blue-bowl',
  title: 'Blue bowl',
  description: 'Large.',
  pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }],
  price: '0.10',
  currency: 'cny',
  ...{ limitPerShopper: '2', spreadSeconds: '0' },
  'packets.count': '',
  startsAt: '2026-11-20T12:00',
  endsAt: '2026-11-20T13:00:00',
})

/** Ten minutes before its start. */
export const beforeBowl = numberAt(blueBowl, 'startsAt') - 600_000

/** The text after that entry was chosen, as `FairnessChoice` enters it. */
export function choosing(text: FormText, name: string): FormText {
  const others = fairness.filter((one) => one.name !== name).map(({ without }) => without)
  const own = fairness.find((one) => one.name === name)?.begin(text, beforeBowl)
  return entering(text, Object.assign({}, ...others, own))
}

const check = (text: FormText) => checkForm(text, text, undefined, 0)

/** @throws with the errors when the form is invalid */
export function definitionOf(text: FormText) {
  const checked = check(text)
  if (!checked.ok) throw new Error(`the typed form is valid: ${JSON.stringify(checked.errors)}`)
  return checked.definition
}

export function errorsOf(text: FormText): FormErrors {
  const checked = check(text)
  return checked.ok ? {} : checked.errors
}

/** The keys of the errors, by their places. */
export const errorsIn = (text: FormText) =>
  Object.fromEntries(Object.entries(errorsOf(text)).map(([place, { key }]) => [place, key]))
