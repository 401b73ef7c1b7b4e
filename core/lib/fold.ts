/** Merges what options add at one seam. A registry has the object of each option by the option's name. */

/** A union of the members `Key` of the objects of the registry. */
export type MemberOf<Registry, Key extends PropertyKey> = {
  [Name in keyof Registry]: Registry[Name] extends Readonly<Record<Key, infer Member>> ? Member : never
}[keyof Registry]

/** One record with the members of all records in a union. */
export type Merged<Some> = [Some] extends [never]
  ? Record<never, never>
  : (Some extends unknown ? (one: Some) => void : never) extends (all: infer All) => void
    ? All
    : never

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

const membersOf = (registry: object, key: PropertyKey): unknown[] =>
  Object.values(registry).flatMap((one: Readonly<Record<PropertyKey, unknown>>) =>
    one[key] === undefined ? [] : [one[key]],
  )

/** Returns the member `key` of each option that has it. */
export const eachOf = <Registry extends object, Key extends PropertyKey>(registry: Registry, key: Key) =>
  membersOf(registry, key) as MemberOf<Registry, Key>[]

/** Returns the items of the list `key` of every option. */
export const joined = <Registry extends object, Key extends PropertyKey>(registry: Registry, key: Key) =>
  membersOf(registry, key).flat() as ItemOf<MemberOf<Registry, Key>>[]

/** Returns one record with the members of all objects of the registry. */
export const mergedAll = <Registry extends object>(registry: Registry) =>
  Object.assign({}, ...Object.values(registry)) as Merged<Registry[keyof Registry]>

/** Returns one record with the members of the record `key` of every option. */
export const mergedOf = <Registry extends object, Key extends PropertyKey>(registry: Registry, key: Key) =>
  Object.assign({}, ...membersOf(registry, key)) as Merged<MemberOf<Registry, Key>>
