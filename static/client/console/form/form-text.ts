/** What stands in the sale form: its kind, its inputs and what is typed into them. */
import { isOfKind, type SaleKind, type SettingName, settingNames, settingOf } from '../../../../core/sale/settings.ts'
import type { Variant } from '../../../../core/sale/variants.ts'
import type { PictureText } from './picture-text.ts'
import { readVariant, type VariantText } from './variant-text.ts'
import type { WindowText } from './window-text.ts'

type RuleName = Extract<SettingName, `throttle.${string}`>

/** The two inputs of a rule. */
const ruleParts = ['limit', 'windowSeconds'] as const

/** The form's inputs, named by the path of the field they fill. */
export type FieldName = Exclude<SettingName, RuleName | 'pictures'> | `${RuleName}.${(typeof ruleParts)[number]}`

/** The inputs of a setting: one, and two of a rule. The pictures have rows of their own. */
export function inputsOf(name: SettingName): readonly FieldName[] {
  if (name === 'pictures') return []
  return isRule(name) ? ruleParts.map((part) => `${name}.${part}` as const) : [name]
}

export function isRule(name: SettingName): name is RuleName {
  return settingOf(name).as === 'rule'
}

const settingsOfInputs = new Map(
  settingNames.flatMap((name) => inputsOf(name).map((field): [FieldName, SettingName] => [field, name])),
)

export const fieldNames: readonly FieldName[] = [...settingsOfInputs.keys()]

/** The setting that the input is about. */
export function settingAt(field: FieldName): SettingName {
  const name = settingsOfInputs.get(field)
  if (name === undefined) throw new Error(`no setting has the input ${field}`)
  return name
}

/**
 * With windows in `windows`, start, end and stock of the sale (or its packets) are those of the
 * first (R7). With variants in `variants`, the stock of goods is their sum (N1).
 */
export type FormText = Record<FieldName, string> & {
  kind: SaleKind
  windows: readonly WindowText[]
  pictures: readonly PictureText[]
  variants: readonly VariantText[]
  /** Texts in languages that have no setting of their own, by `de.title` and `de.description`. */
  texts: Readonly<Record<string, string>>
}

/** Whether there are windows, and variants. */
type FormParts = { hasWindows: boolean; hasVariants: boolean }

export const partsOf = ({ windows, variants }: Pick<FormText, 'windows' | 'variants'>): FormParts => ({
  hasWindows: windows.length > 0,
  hasVariants: variants.length > 0,
})

/** Whether the form shows the setting: windows and variants have some of them instead of the sale. */
export function isAskedFor(name: SettingName, kind: SaleKind, { hasWindows, hasVariants }: FormParts): boolean {
  // The stock is the sum of those of the variants.
  if (hasVariants && kind === 'goods' && name === 'stock') return false
  return isOfKind(name, kind) && !(hasWindows && settingOf(name).perWindow)
}

/** The variants that are sold: only goods have some. */
export function variantsIn({ kind, variants }: Pick<FormText, 'kind' | 'variants'>): Variant[] {
  return kind === 'goods' ? variants.map(readVariant) : []
}

/** The one window of a sale that has no list of windows. */
export function ownWindowText(text: FormText): WindowText {
  const { startsAt, endsAt } = text
  return text.kind === 'red-packet'
    ? { startsAt, endsAt, stock: text['packets.count'], totalAmount: text['packets.totalAmount'] }
    : { startsAt, endsAt, stock: text.stock, totalAmount: '' }
}
