/** The seam of the console. */
import type { ComponentType } from 'preact'
import type { Sale } from '../core/sale/sale.ts'
import type { FairnessEntry } from './form/form-fields.tsx'
import type { Key } from './parts/kind-words.ts'

/**
 * `console-parts.ts`: is loaded with the view of a sale, with its form, and with a page behind "Settings", so it imports none of
 * these. A throw of a component leaves its view empty, as one of the engine does; a failed read is shown as nothing.
 */
export type ConsolePartsSeam = {
  /** A line of the overview of a sale. */
  Overview?: ComponentType<{ sale: Sale }>
  /** Stands among the folded panels of a sale. */
  Panel?: ComponentType<{ sale: Sale }>
  /** The text of what deleting the sale does to the option. */
  onDeletion?(sale: Sale): Key | undefined
  /** A way to give the units of a sale out, in its form. */
  fairness?: FairnessEntry
  /** Facts in the audit log whose values are shown as they are. `audit.field.<fact>` is the text of each. */
  auditFacts?: readonly string[]
  /** The pages that `names.ts` lists as `settings`, each loaded when it is opened; `tsc` refuses one that is missing. */
  settings?: Readonly<Record<string, () => Promise<ComponentType>>>
}
