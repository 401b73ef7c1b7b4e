/** What a marketer must know before trusting the numbers of a sale: parts that are dark, and changes still on their way. */
import type { Live } from './read.ts'

type NoticeKey = 'live.dark.redis' | 'live.dark.sqs' | 'live.stockLost' | 'live.behind'

/** The keys of the notices, the gravest first. */
export function noticesOf({ sale, stock, dark, inStep }: Live): readonly NoticeKey[] {
  const notices: NoticeKey[] = dark.map((part): NoticeKey => `live.dark.${part}`)
  if (sale.warmed && stock === null && !dark.includes('redis')) return [...notices, 'live.stockLost']
  return inStep ? notices : [...notices, 'live.behind']
}
