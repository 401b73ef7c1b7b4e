/**
 * Exports items of shoppers from options that this shop has removed (options/retired.json), and erases them once their
 * sale is archived.
 */
import { retired } from '../../options/registry/names.ts'
import { partPages } from '../table/partitions.ts'
import { type Item, queryPartition } from '../table/query.ts'
import { eraseAfterSale, type PersonOption } from './person-items.ts'

/**
 * `partition` contains the id of the shopper, or of a sale whose items name the shopper in `shopperId` or in their key.
 * `{digit}` stands for a hexadecimal digit.
 */
export type RetiredItems = { kind: string; partition: string }

const digits = [...'0123456789abcdef']

const partitionsOf = (partition: string): string[] =>
  partition.includes('{digit}') ? digits.map((digit) => partition.replace('{digit}', digit)) : [partition]

export const retiredItems = (all: readonly RetiredItems[] = retired): PersonOption[] =>
  all.map(({ kind, partition }) => ({
    ...{ kind, part: 'others' },
    outcome: (found, facts) => (found.saleId === undefined ? 'erase' : eraseAfterSale(found, facts)),
    async find(table, shopperId, saleIds) {
      if (partition.includes('{shopperId}')) {
        const items = await queryPartition(table, partition.replace('{shopperId}', shopperId))
        return items.map((item) => ({ item }))
      }
      const found: { item: Item; saleId: (typeof saleIds)[number] }[] = []
      for (const saleId of saleIds) {
        const parts = partitionsOf(partition.replace('{saleId}', saleId))
        for await (const page of partPages(table, parts, {}))
          found.push(
            ...page
              .filter((item) => item.shopperId === shopperId || item.sk === shopperId)
              .map((item) => ({ item, saleId })),
          )
      }
      return found
    },
  }))
