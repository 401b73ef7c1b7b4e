/**
 * The seams of `core/`: what an option may add to the rules that every tier reads. An option exports one object for each
 * seam that it takes part in, in the file of the seam's name (options/write-registry.ts); `core/options.ts` folds them. Where
 * the order matters the engine fixes it. These files load none that folds options, so that no module waits for itself.
 */
import type { ControlRoute } from './api/control-route.ts'
import type { FullOperation } from './api/operation.ts'
import type { SaleField } from './sale/sale-field.ts'

/** A call of staff, as the gate knows it. */
export type StaffRoute = ControlRoute & {
  /** The action that the call has in the audit log. The console has a text for it: `audit.<action>`. */
  audit?: string
  /** How long the console waits for the answer, ms, where it may take longer than usual. */
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
  /** Pages behind "Settings" of the console, each with the call without which it says nothing. */
  settings?: Readonly<Record<string, string>>
  /** Parts of a person's data in an export, in which `people.ts` lists items. */
  personParts?: readonly string[]
  /** The kinds of e-mails that `people.ts` sends. */
  mailKinds?: readonly string[]
  /** Why `conflict` refuses a call: a code, and the English sentence. The console has a text for it: `refused.<code>`. */
  refusals?: Readonly<Record<string, string>>
  /** The metrics that each of its functions records. An alarm or a graph reads them. */
  metrics?: Readonly<Record<string, readonly string[]>>
  /** Functions whose last sign of life is part of the health of the shop, each with the page that says what to do. */
  workers?: Readonly<Record<string, string>>
}

/**
 * `fields.ts`: a field of the definition of a sale with its settings. It is read wherever a sale is: what its schema refuses,
 * or its `fault`, is refused by the API, the form, the import and the table.
 */
export type FieldsSeam = SaleField

/**
 * `operations.ts`: the calls of shoppers and of staff with their requests and answers, by name. Those of staff have the row
 * of `names.ts` in them. Each has its words in `site.ts`, and `handlers.ts` answers it; `tsc` refuses a call without an answer.
 */
export type OperationsSeam = Readonly<Record<string, FullOperation>>
