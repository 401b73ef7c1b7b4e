/** Sets `key`, and removes the entry that was set longest ago once there are more than `most`. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) return
    map.delete(oldest)
  }
}
