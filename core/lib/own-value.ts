/**
 * Returns the record's own member `name`; undefined if it only inherits one, such as `constructor`. Use it for records
 * whose keys people choose, such as ids of variants.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}
