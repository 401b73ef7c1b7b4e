/** Findings about a sale, each with the invariants that it breaks. */
import { counted } from '../../core/lib/text.ts'

/** `rules` are ids such as `I4`; the most directly broken one comes first. */
export type InvariantFinding = { rules: readonly Rule[]; text: string }

type Rule = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'N1' | 'P1' | 'P3' | 'P8' | 'O8' | 'G4' | 'money' | 'coupons'

export type Must = (rules: Rule | readonly Rule[], holds: boolean, text: string) => void

/** Adds a finding unless `names` is empty; its text is `2 claims without a credit (a, b)`. */
type None = (rules: Rule | readonly Rule[], names: readonly string[], noun: string, fault: string) => void

export function openFindings(): { findings: InvariantFinding[]; must: Must; none: None } {
  const findings: InvariantFinding[] = []
  const must: Must = (rules, holds, text) => {
    if (!holds) findings.push({ rules: typeof rules === 'string' ? [rules] : rules, text })
  }
  const none: None = (rules, names, noun, fault) =>
    must(rules, names.length === 0, `${counted(names.length, noun)} ${fault} (${firstFew(names)})`)
  return { findings, must, none }
}

/** Joins the first three names. */
export function firstFew(names: readonly string[]): string {
  return names.slice(0, 3).join(', ')
}

export const sumQuantity = (parts: readonly { quantity: number }[]) =>
  parts.reduce((total, { quantity }) => total + quantity, 0)

export const sumAmount = (parts: readonly { amount: number }[]) =>
  parts.reduce((total, { amount }) => total + amount, 0)
