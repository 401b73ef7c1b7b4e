/**
 * The header with which a part of a table names the `after` of the next part; absent on the last.
 */
export const nextHeader = 'x-sluice-next'
