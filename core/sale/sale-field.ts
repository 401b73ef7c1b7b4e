/** A field that an option adds to the definition of a sale. */
import type * as z from 'zod/mini'
import type { EarlyAccess } from './windows.ts'

/** The other fields of a definition that a field may be validated against. */
export type SaleFacts = {
  kind: string
  stock: number
  startsAt: number
  endsAt: number
  limitPerShopper: number
  windows: readonly unknown[]
  earlyAccess?: EarlyAccess | undefined
}

/** A conflict between fields of a definition. `path` is the field to change. */
export type SaleFault = { path: (string | number)[]; message: string }

/** `Reason` is the type of the refusal codes of `plan`. */
export type SaleField<Reason extends string = string> = {
  name: string
  /** Settings by their paths in a definition, of the type of `settings.ts`. */
  settings: Readonly<Record<string, { schema: z.core.$ZodType; [more: string]: unknown }>>
  schema: Readonly<Record<string, z.core.$ZodType>>
  /** Returns the first fault of a definition, which may lack the field. */
  fault?(sale: SaleFacts): SaleFault | undefined
  /** Absent: the field has no times, and may change at any time. */
  plan?: SalePlan<Reason>
}

/** The schedule that the field adds to a sale. Times are epoch ms. Its files are published in the folder of the field. */
type SalePlan<Reason extends string = string> = {
  /** Returns a fault with which the sale can neither be created nor warmed at `now`. */
  faultAt(sale: object, now: number): SaleFault | undefined
  /** Returns the earliest time at which the sale can be opened ahead of its start. */
  earliestDrawStart(sale: object): number
  /** Returns the time that a copy of the sale moves past now. */
  firstTime(sale: object): number
  moved(sale: object, later: (time: number) => number): object
  /** The refusal of edits of the field, the stock and everything not in `free` once the sale is warmed. */
  fixedBy: Reason
  /** Fields that may change even then. Only the names of variants may, and the end only to a later time. */
  free: ReadonlySet<string>
  /** True if only shoppers on the list of the sale may buy. */
  invitedOnly: boolean
}
