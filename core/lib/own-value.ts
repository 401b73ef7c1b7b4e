/**
 * The value of the member `name`; undefined where the record only inherits one, as every object does `constructor`.
 * Records by a name that people choose, such as the id of a variant, are read with it.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}
