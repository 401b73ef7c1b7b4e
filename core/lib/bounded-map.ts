/** Sets `key`, and removes the entry that was set longest ago once the map has more than `maxSize`. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) return
    map.delete(oldest)
  }
}
