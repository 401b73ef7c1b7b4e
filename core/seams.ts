/**
 * The seams of `core/`: what an option may add to the rules that every tier reads. An option exports one object for each of
 * its seams, in the file with the seam's name (options/write-registry.ts); `core/options.ts` merges them. Where the order
 * matters, the engine defines it. These files import none that merges options, which would be an import cycle.
 */
import type { ControlRoute } from './api/control-route.ts'
import type { FullOperation } from './api/operation.ts'
import type { SaleField } from './sale/sale-field.ts'

/** A call of staff, as the gate knows it. */
export type StaffRoute = ControlRoute & {
  /** The action in the audit log. The console has a text for it: `audit.<action>`. */
  audit?: string
  /** The console's timeout of the call, ms, if it may take longer than usual. */
  waitMs?: number
}

/** `names.ts`: names and paths without schemas, because the gate loads them. */
export type NamesSeam = {
  /**
   * The paths of shoppers' calls. The gate forwards GET, PUT and DELETE of a signed-in shopper, and `delivery` answers them; a
   * parameter is `:saleId` at the end. A path that is missing here is `not-found` at the gate.
   */
  paths?: readonly string[]
  /** The calls of staff by their operations. The gate refuses other roles, and `delivery` answers them. */
  routes?: Readonly<Record<string, StaffRoute>>
  /** Pages behind "Settings" of the console, each with the call that it needs. */
  settings?: Readonly<Record<string, string>>
  /** Parts of the export of a person's data. `people.ts` lists their items. */
  personParts?: readonly string[]
  /** Kinds of emails that `people.ts` sends. */
  mailKinds?: readonly string[]
  /** Why `conflict` refuses a call: a code, and the English sentence. The console has a text for it: `refused.<code>`. */
  refusals?: Readonly<Record<string, string>>
  /** The metrics that each of its functions records. An alarm or a graph reads them. */
  metrics?: Readonly<Record<string, readonly string[]>>
  /** Functions whose heartbeat is part of the shop's health, each with its runbook. */
  workers?: Readonly<Record<string, string>>
}

/**
 * `fields.ts`: a field of the definition of a sale with its settings. Its schema and `fault` validate every sale in the API,
 * the form, the import and the table.
 */
export type FieldsSeam = SaleField

/**
 * `operations.ts`: the calls of shoppers and of staff with their requests and answers, by name. Calls of staff include their
 * row of `names.ts`. `site.ts` describes each call, and `handlers.ts` answers it; without an answer `tsc` fails.
 */
export type OperationsSeam = Readonly<Record<string, FullOperation>>
