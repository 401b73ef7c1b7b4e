/** Work for several items, of which one that fails keeps no other from its turn. */

/**
 * Does `work` for each of `items`, one after another.
 * @throws the first failure, after the last item
 */
export async function tryEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
