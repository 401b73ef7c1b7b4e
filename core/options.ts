/** Merges what options add to `core/`. Only this file imports the registry. Bundles include only the parts that they use. */
import { fields } from '../options/registry/fields.ts'
import { names } from '../options/registry/names.ts'
import { operations } from '../options/registry/operations.ts'
import { joined, type MemberOf, type Merged, mergedAll, mergedOf } from './lib/fold.ts'
import type { SaleField } from './sale/sale-field.ts'
import type { StaffRoute } from './seams.ts'

export const optionPaths: readonly string[] = /* @__PURE__ */ joined(names, 'paths')
export const optionRoutes = /* @__PURE__ */ mergedOf(names, 'routes')
export const optionSettingsPages = /* @__PURE__ */ mergedOf(names, 'settings')
export const optionPersonParts = /* @__PURE__ */ joined(names, 'personParts')
export const optionMailKinds = /* @__PURE__ */ joined(names, 'mailKinds')
export const optionRefusals = /* @__PURE__ */ mergedOf(names, 'refusals')
export const optionMetrics = /* @__PURE__ */ mergedOf(names, 'metrics')
export const optionWorkers = /* @__PURE__ */ mergedOf(names, 'workers')

type Routes = typeof optionRoutes
type Audited = { [Call in keyof Routes]: Routes[Call] extends { audit: infer Action } ? Action : never }[keyof Routes]
export const optionAuditActions: readonly Audited[] = /* @__PURE__ */ auditActionsOf<Audited>(optionRoutes)

function auditActionsOf<Action extends string>(routes: Readonly<Record<string, StaffRoute>>) {
  return Object.values(routes).flatMap(({ audit }) => audit ?? []) as Action[]
}

/** Fields of a sale. Each may be absent. */
export const optionFields: readonly SaleField<keyof typeof optionRefusals>[] = /* @__PURE__ */ Object.values(fields)
export type OptionFieldName = MemberOf<typeof fields, 'name'>
export const optionSettings = /* @__PURE__ */ mergedOf(fields, 'settings')
export const optionSchemas = /* @__PURE__ */ mergedOf(fields, 'schema')

type Operations = Merged<(typeof operations)[keyof typeof operations]>
type StaffCall = keyof Operations & keyof Routes

/** Calls of staff are those that have a route. */
export const optionStaffOperations = /* @__PURE__ */ operationsWhere((name) => name in optionRoutes) as Pick<
  Operations,
  StaffCall
>
export const optionShopperOperations = /* @__PURE__ */ operationsWhere((name) => !(name in optionRoutes)) as Omit<
  Operations,
  StaffCall
>

function operationsWhere(matches: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(mergedAll(operations)).filter(([name]) => matches(name)))
}
