/** Which records of the table's stream a function gets. */

/** A filter of an event source mapping, for the fields of a record that it names. */
export type StreamFilter = {
  eventName: readonly string[]
  dynamodb: { Keys: Readonly<Record<string, { S: readonly [{ prefix: string }] }>> }
}

export const startsWith = (prefix: string) => ({ S: [{ prefix }] as const })
