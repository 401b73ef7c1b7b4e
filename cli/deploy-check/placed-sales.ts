/**
 * Sales that would lose their database with another list: a sale keeps the name of the database that
 * it was placed in until it is archived.
 */
import type { ControlClient } from '../control-client.ts'

/** The part of the marketer's API that is read. */
export type ShopReader = Pick<ControlClient, 'list' | 'databases'>

/**
 * One line for each sale that needs a database that `names`, the new list, does not have.
 * @throws Refused, or an error of the connection
 */
export async function salesLeftOut(shop: ShopReader, names: readonly string[]): Promise<string[]> {
  const [present] = await shop.databases()
  const [first] = names
  const problems: string[] = []
  let after: string | undefined
  do {
    const { sales, next } = await shop.list({ after })
    for (const { saleId, warmed, databases } of sales) {
      if (!warmed) continue
      const missing = databases.filter((name) => !names.includes(name))
      for (const name of missing) problems.push(`${saleId} is in ${name}, which the list does not have`)
      // A sale that was warmed before there was a list is in the first database of any list.
      if (databases.length === 0 && present !== undefined && present.name !== first)
        problems.push(`${saleId} needs ${present.name} as the first entry of the list`)
    }
    after = next ?? undefined
  } while (after !== undefined)
  return problems
}
