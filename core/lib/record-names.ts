/** Returns the names of a record that has no others than its type says. */
export const recordNames = <T extends object>(record: T): readonly (keyof T & string)[] =>
  Object.keys(record) as (keyof T & string)[]
