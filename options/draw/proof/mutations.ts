/** Programs with one deliberate defect in a draw, which the simulation must detect. */
import { type Mutation, onTableCommand } from '../../../proof/simulation/mutation.ts'
import type { Outside } from '../../../proof/simulation/shared-ports.ts'

type Items = Record<string, unknown>[]

/** Changes the items in the answer to a read of many items. */
const withItems = (answer: object, change: (items: Items) => Items): object => {
  const { Items: items, Responses: responses, ...rest } = answer as { Items?: Items; Responses?: Record<string, Items> }
  const read = Object.entries(responses ?? {}).map(([table, some]) => [table, change(some)] as const)
  return { ...rest, ...(items && { Items: change(items) }), ...(responses && { Responses: Object.fromEntries(read) }) }
}

/** Changes commands on their way to the gate's store. */
const onGate =
  (change: (words: readonly string[]) => readonly string[]) =>
  ({ gate, ...outside }: Outside): Outside => ({
    ...outside,
    gate: {
      exec: (command) => gate.exec(change(command.map(String)) as typeof command),
    },
  })

const defects: Readonly<Record<string, Partial<Mutation>>> = {
  'hands out a receipt of a draw and loses the entry': {
    found: /receipt-excluded/,
    outside: onTableCommand(/^put ENTRIES/, async () => ({})),
  },
  'lists each entry with the number of its first change': {
    found: /receipt-excluded|has a receipt of being/,
    outside: onTableCommand(/^query ENTRIES/, async (send) =>
      withItems(await send(), (items) => items.map((item) => ({ ...item, changes: 1 }))),
    ),
  },
  'offers units to the shoppers of each other': {
    found: /which is of another shopper/,
    outside: onTableCommand(/^batch get ENTRIES/, async (send) =>
      withItems(await send(), (items) =>
        items.map((item, at) => ({ ...item, shopperId: items.at(-1 - at)?.shopperId })),
      ),
    ),
  },
  'sells an offered unit to entrants without an offer': {
    found: /without an offer|units are left for them/,
    outside: onGate((words) =>
      words[0] === 'SADD' && words[1]?.endsWith(':invited')
        ? [...words, ...Array.from({ length: 8 }, (_, at) => `shopper-${at + 1}`)]
        : words,
    ),
  },
}

export const mutations = Object.entries(defects).map(
  ([name, defect]): Mutation => ({ ...defect, name, kind: 'goods', option: 'draw' }),
)

/** The seed and number of a sale that detects a defect which the first sales do not. */
export const foundBy = [['sells an offered unit to entrants without an offer', { seed: 1, sale: 6 }]] as const
