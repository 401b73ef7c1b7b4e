/** Returns the typed names of a record that has no other members than its type. */
export const recordNames = <T extends object>(record: T): readonly (keyof T & string)[] =>
  Object.keys(record) as (keyof T & string)[]
