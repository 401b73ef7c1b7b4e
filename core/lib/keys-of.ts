/** The names in a table, which may be empty. */
export const keysOf = <T extends object>(table: T): readonly (keyof T)[] => Object.keys(table) as (keyof T)[]
