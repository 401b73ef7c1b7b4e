/** A sale as `/api/control` answers it, from `unknown` to the console's type. */
import { parseSaleId } from '../../../core/ids.ts'
import type { Flag } from '../../../core/phase.ts'
import { type SaleDefinition, type SaleState, type SaleWindow, saleKinds } from '../../../core/sale.ts'
import { fieldsOf, oneOf } from '../wire.ts'
import { number, numbers } from './read-numbers.ts'

/** A sale without its start token: the console has no use for it. */
export type ConsoleSale = SaleDefinition & Omit<SaleState, 'startToken'>

const flags: readonly Flag[] = ['off', 'on', 'paused', 'closed']
const challenges = ['off', 'pow'] as const

const saleNumbers = [
  'price',
  'stock',
  'limitPerShopper',
  'maxPerOrder',
  'startsAt',
  'endsAt',
  'paymentWindowSeconds',
  'paymentGraceSeconds',
  'admissionRatio',
  'minLevel',
  'windowIndex',
  'epoch',
  'version',
  'createdAt',
  'updatedAt',
] as const

/** A sale as the control function answers it. */
export function readSale(value: unknown): ConsoleSale | undefined {
  const fields = fieldsOf(value) ?? {}
  const { title, description, image, currency, warmed } = fields
  const kind = oneOf(saleKinds, fields.kind)
  const saleId = parseSaleId(fields.saleId)
  const flag = oneOf(flags, fields.flag)
  const amounts = numbers(fields, saleNumbers)
  const challenge = oneOf(challenges, fields.challenge)
  const throttle = readThrottle(fields.throttle)
  const windows = readWindows(fields.windows)
  const packets = numbers(fields.packets, ['count', 'totalAmount'])
  if (saleId === undefined || flag === undefined || amounts === null) return undefined
  if (challenge === undefined || throttle === undefined || windows === undefined) return undefined
  if (kind === undefined || typeof warmed !== 'boolean') return undefined
  if ((kind === 'red-packet') !== (packets !== null)) return undefined
  if (typeof title !== 'string' || typeof description !== 'string') return undefined
  if (typeof image !== 'string' || typeof currency !== 'string') return undefined
  return {
    ...{ saleId, kind, title, description, image, currency, ...amounts, flag, warmed },
    ...{ challenge, throttle, windows },
    ...(packets === null ? {} : { packets }),
    ...(typeof fields.archivedAt === 'number' ? { archivedAt: fields.archivedAt } : {}),
    ...(fields.coupons === undefined ? {} : { coupons: readValidity(fields.coupons) }),
  }
}

/** From when until when coupons are good; either may be missing. */
function readValidity(value: unknown): NonNullable<SaleDefinition['coupons']> {
  const fields = fieldsOf(value)
  const [validFrom, validUntil] = [number(fields, 'validFrom'), number(fields, 'validUntil')]
  return {
    ...(validFrom === null ? {} : { validFrom }),
    ...(validUntil === null ? {} : { validUntil }),
  }
}

function readThrottle(value: unknown): SaleDefinition['throttle'] | undefined {
  const fields = fieldsOf(value)
  const rule = (scope: string) => numbers(fields?.[scope], ['limit', 'windowSeconds'])
  const [perShopper, perIp, perSale] = [rule('perShopper'), rule('perIp'), rule('perSale')]
  if (perShopper === null || perIp === null || perSale === null) return undefined
  return { perShopper, perIp, perSale }
}

/** All windows or none: a list with a gap would show another sale. */
function readWindows(value: unknown): SaleWindow[] | undefined {
  if (!Array.isArray(value)) return undefined
  const windows = value
    .map((value): SaleWindow | null => {
      const saleWindow = numbers(value, ['startsAt', 'endsAt', 'stock'])
      const totalAmount = number(fieldsOf(value), 'totalAmount')
      return saleWindow === null || totalAmount === null ? saleWindow : { ...saleWindow, totalAmount }
    })
    .filter((saleWindow) => saleWindow !== null)
  return windows.length === value.length ? windows : undefined
}
