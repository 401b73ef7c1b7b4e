/** Makes audit entries, which hold only the fields that differ. */
import type { AuditAction } from '../../core/audit.ts'
import type { SaleId } from '../../core/ids.ts'
import { optionFields } from '../../core/options.ts'
import type { Role } from '../../core/roles.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { AuditEntry } from '../table/audit.ts'

export type Facts = Readonly<Record<string, unknown>>

/** Who acts, in which role, and in which request. The system itself has no role. */
export type Actor = { who: string; requestId: string; role?: Role }

/** Facts in minor units of the sale's currency. */
const amounts = ['price', 'packets', 'supportRefundLimit']
const times = [
  'startsAt',
  'endsAt',
  'windows',
  'coupons',
  ...optionFields.filter(({ plan }) => plan).map(({ name }) => name),
]

/** Returns the change from `before` to `after` at `when` (epoch ms), without the start token, which is a secret. */
export function auditOf(
  about: Actor & { what: AuditAction; saleId: SaleId; when: number },
  before: Sale | null,
  after: Sale | null,
): AuditEntry {
  const [was, is] = [factsOf(before), factsOf(after)]
  if (was === null || is === null) return { ...about, before: was, after: is }
  const names = Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
  // An amount needs its currency, and a time its zone.
  const of = (some: readonly string[], term: string) => (names.some((name) => some.includes(name)) ? [term] : [])
  const shown = new Set([...names, ...of(amounts, 'currency'), ...of(times, 'timeZone')])
  const only = (facts: Facts) => Object.fromEntries([...shown].map((name) => [name, facts[name]]))
  return { ...about, before: only(was), after: only(is) }
}

function factsOf(sale: Sale | null): Facts | null {
  if (sale === null) return null
  const { startToken, updatedAt, ...facts } = sale
  return facts
}
