/**
 * The texts of a form: a record in the shape of the API, with typed texts as values. Inputs are addressed by path, such as
 * `variants.2.stock`.
 */
import { settingValue } from '../../core/sale/settings.ts'

/** A text, or parts with texts. */
export type TextPart = string | readonly TextPart[] | { readonly [name: string]: TextPart | undefined }

/** A row of a list. */
export type Row = Readonly<Record<string, TextPart | undefined>>

/** Returns the text at that path; empty if there is none. */
export function textAt(text: Row, path: string): string {
  const entered = settingValue(text, path)
  return typeof entered === 'string' ? entered : ''
}

/** Returns a copy with another part at that path. */
export function withPart<Text extends Row>(text: Text, path: string, part: unknown): Text {
  return put(text, path.split('.'), part) as Text
}

function put(whole: unknown, [name, ...rest]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part
  if (Array.isArray(whole)) return whole.with(Number(name), put(whole[Number(name)], rest, part))
  const parts = typeof whole === 'object' ? (whole as Row) : {}
  return { ...parts, [name]: put(parts[name], rest, part) }
}

/** True when both have the same texts or values. An empty text equals a missing one. */
export function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one ?? '', other ?? '']
  if (typeof a !== 'object' && typeof b !== 'object') return Object.is(a, b)
  const [parts, others] = [a, b].map((all) => (typeof all === 'object' ? (all as Row) : {}))
  return Object.keys({ ...parts, ...others }).every((name) => isSame(parts?.[name], others?.[name]))
}
