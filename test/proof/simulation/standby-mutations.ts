/** Programs with one deliberate defect in what becomes of a standby list. */
import { type Mutation, onTable } from '../../../proof/simulation/mutation.ts'

export const standbyMutations: readonly Omit<Mutation, 'kind'>[] = [
  {
    name: 'hands out a receipt and loses the entry',
    found: /receipt-excluded/,
    outside: onTable(/^put ENTR/, async () => ({})),
  },
  {
    name: 'sees no unit that a buyer gave back',
    found: /units? are idle/,
    outside: ({ filesOf, ...outside }) => ({
      ...outside,
      filesOf(saleId) {
        const { read, write } = filesOf(saleId)
        return {
          read,
          async write(path, bytes) {
            const lines = Buffer.from(bytes).toString().split('\n').length - 1
            if (path === 'allocation.txt' && lines > 1) throw new Error('a later step is lost')
            await write(path, bytes)
          },
        }
      },
    }),
  },
]
