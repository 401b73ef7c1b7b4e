/** The definition of a sale in the hash of its stock, as stored texts. */
import { isInvitedOnly, type Sale } from '../../core/sale/sale.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import { text } from '../reply.ts'

/**
 * `hasNext`: another window follows (1 or 0). `invitedOnly`: only shoppers on the list of the sale may buy (1 or 0). `maxTries`
 * is the limit of requests of a shopper in `windowMs` (R2).
 */
export const definitionFields = [
  'version',
  'kind',
  'flag',
  'epoch',
  'startToken',
  'opensAt',
  'closesAt',
  'hasNext',
  'maxPerOrder',
  'limitPerShopper',
  'maxTries',
  'windowMs',
  'invitedOnly',
] as const

export type StockDefinition = Readonly<Record<(typeof definitionFields)[number], string>>

/** The fields of a sale that its stock copies. */
type Defined = Pick<
  Sale,
  'version' | 'kind' | 'flag' | 'epoch' | 'startToken' | 'startsAt' | 'endsAt' | 'windows' | 'windowIndex'
> &
  Pick<Sale, 'limitPerShopper' | 'maxPerOrder' | 'throttle'>

export function stockDefinition(sale: Defined): StockDefinition {
  const { limit, windowSeconds } = sale.throttle.perShopper
  return {
    version: String(sale.version),
    kind: sale.kind,
    flag: sale.flag,
    epoch: String(sale.epoch),
    startToken: sale.startToken ?? '',
    opensAt: String(sale.startsAt),
    closesAt: String(sale.endsAt),
    hasNext: nextWindow(sale) === undefined ? '0' : '1',
    maxPerOrder: String(sale.maxPerOrder),
    limitPerShopper: String(sale.limitPerShopper),
    maxTries: String(limit),
    windowMs: String(windowSeconds * 1000),
    invitedOnly: isInvitedOnly(sale) ? '1' : '0',
  }
}

/** The definition of a stock that was lost, until it is recovered: it sells nothing. */
export const emptyDefinition: StockDefinition = {
  ...{ version: '0', kind: 'goods', flag: 'closed', epoch: '0', startToken: '', opensAt: '0', closesAt: '0' },
  ...{ hasNext: '0', maxPerOrder: '1', limitPerShopper: '1', maxTries: '1', windowMs: '1', invitedOnly: '0' },
}

/** Returns the definition in `stored`, the values of `definitionFields`. Missing values become empty. @throws UnexpectedReply */
export function definitionIn(stored: readonly unknown[]): StockDefinition {
  const fields = definitionFields.map((name, at) => [name, text(stored[at] ?? '', name)] as const)
  return { ...emptyDefinition, ...Object.fromEntries(fields) }
}

/** Returns a unique id of a freeze: about 100 random bits, which need not be secret. */
export function newFreezeId(): string {
  return [Math.random(), Math.random()].map((word) => word.toString(36).slice(2)).join('')
}
