/** The names in a table, which may be empty. */
export const namesInTable = <T extends object>(table: T): readonly (keyof T)[] => Object.keys(table) as (keyof T)[]
