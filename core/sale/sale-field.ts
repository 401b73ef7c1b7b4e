/** A field that an option adds to the definition of a sale. */
import type * as z from 'zod/mini'
import type { EarlyAccess } from './windows.ts'

/** What of a definition a field is checked against, beside itself. */
export type SaleFacts = {
  kind: string
  stock: number
  startsAt: number
  endsAt: number
  limitPerShopper: number
  windows: readonly unknown[]
  earlyAccess?: EarlyAccess | undefined
}

/** What does not go with another field of a definition, at the path of the field to change. */
export type SaleFault = { path: (string | number)[]; message: string }

/** `Reason` are the codes of refusals that `plan` may name. */
export type SaleField<Reason extends string = string> = {
  name: string
  /** By their paths in a definition; each is as those of `settings.ts`, whose type refuses another. */
  settings: Readonly<Record<string, { schema: z.core.$ZodType; [more: string]: unknown }>>
  schema: Readonly<Record<string, z.core.$ZodType>>
  /** The first fault of any definition, also without the field. */
  fault?(sale: SaleFacts): SaleFault | undefined
  /** Absent: the field has no times, and may change at any time. */
  plan?: SalePlan<Reason>
}

/** What a sale with the field does at times of its own, epoch ms. Its files are published in a folder with the name of the field. */
type SalePlan<Reason extends string = string> = {
  /** A sale with this fault is neither created nor warmed at `now`. */
  faultAt(sale: object, now: number): SaleFault | undefined
  /** The sale starts then at the earliest, and never later than planned. */
  earliestDrawStart(sale: object): number
  /** A copy of the sale moves this time past now. */
  firstTime(sale: object): number
  /** The field with its times moved. */
  moved(sale: object, later: (time: number) => number): object
  /** Why the field, the stock and all that is not `free` stay once the sale is warmed. */
  fixedBy: Reason
  /** Fields that may change even then: of variants the names, and the end to a later time. */
  free: ReadonlySet<string>
  /** Only shoppers on the list of the sale may buy it. */
  invitedOnly: boolean
}
