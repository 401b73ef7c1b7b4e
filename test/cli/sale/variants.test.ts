/** Variants in the options of the command line (N1). */
import { describe, expect, it } from 'vitest'
import { newDefinition, readDefinition, readEdit } from '../../../cli/sale/definition.ts'
import { importOrders } from '../../../cli/sale/import-orders.ts'
import { windowsTable } from '../../../cli/sale/print.ts'
import { saleDefinition } from '../../../core/sale/sale.ts'
import { aPhone, aSale } from '../../redis/support.ts'

const now = Date.UTC(2027, 2, 1)
const s = { id: 's', name: 'Small', stock: 10 }
const m = { id: 'm', name: 'Black, 1:2 M', stock: 5 }
const flags = { variant: ['s=Small:10', 'm=Black, 1:2 M:5'] }
const { stock: _, ...phone } = aPhone

describe('--variant', () => {
  it('is the id, the name and the units of each, and their sum is the stock', () => {
    expect(readDefinition(flags, now)).toEqual({ variants: [s, m], stock: 15 })
  })

  it('takes the units that are left out from the first window, and each window says its own', () => {
    const window = ['+1h,+2h,s*2+m*3', '+3h,+4h,s*0+m*4']
    const fields = readDefinition({ variant: ['s=Small', 'm=Medium'], window }, now)
    expect(fields).toMatchObject({
      stock: 5,
      variants: [
        { id: 's', name: 'Small', stock: 2 },
        { id: 'm', name: 'Medium', stock: 3 },
      ],
      windows: [
        { stock: 5, units: { s: 2, m: 3 } },
        { stock: 4, units: { s: 0, m: 4 } },
      ],
    })
    expect(saleDefinition.safeParse({ ...phone, saleId: 'phone', ...fields }).success).toBe(true)
  })

  it('gives every window of a schedule the same units of each', () => {
    const schedule = { everyDay: '9,10', from: '2027-03-27', days: '1', lasts: '30', zone: 'Europe/Berlin' }
    const fields = readDefinition({ ...schedule, ...flags }, now)
    expect(fields).toMatchObject({ stock: 15, windows: Array(2).fill({ stock: 15, units: { s: 10, m: 5 } }) })
    expect(saleDefinition.safeParse({ ...phone, saleId: 'phone', ...fields }).success).toBe(true)
    const former = aSale({ stock: 15, variants: [s, m] })
    expect(newDefinition('next', schedule, now, former)).toMatchObject({
      variants: [s, m],
      windows: Array(2).fill({ stock: 15, units: { s: 10, m: 5 } }),
    })
  })

  it('is shown with the windows before the sale is created', () => {
    const fields = readDefinition({ variant: flags.variant, starts: '+1h', ends: '+2h' }, now)
    const definition = saleDefinition.parse({ ...phone, saleId: 'phone', ...fields })
    expect(windowsTable(definition)).toMatch(/UNITS +VARIANTS\n1 .* 15 +m\*5\+s\*10\n1 in all, 15 units$/)
  })

  it('renames a variant of a sale, whose units stay', () => {
    const sale = aSale({ stock: 15, variants: [s, m] })
    expect(readEdit({ variant: ['s=Petite', 'm=Medium'] }, sale, now)).toMatchObject({
      variants: [
        { ...s, name: 'Petite' },
        { ...m, name: 'Medium' },
      ],
    })
  })

  it.each([
    [{ variant: ['Small'] }, '"Small" is not a variant: use id=name:units'],
    [{ variant: ['S M=Small:1'] }, 'is not a variant'],
    [{ variant: ['s=Small'] }, '"s" needs its units'],
    [{ ...flags, stock: '15' }, '--variant excludes the others: leave out --stock'],
    [{ window: ['+1h,+2h,s*2+m'] }, '"s*2+m" are not units of variants'],
    [{ window: ['+1h,+2h,S*2'] }, 'are not units of variants'],
  ])('that cannot be read is refused: %j', (given, detail) => {
    expect(() => readDefinition(given, now)).toThrow(detail)
  })
})

describe('orders of a file with variants', () => {
  const placed = async (text: string) => {
    const sent: unknown[] = []
    const control = {
      reserveOrders: async (_saleId: string, lines: readonly unknown[]) => {
        sent.push(...lines)
        return []
      },
    }
    const step = { to: () => undefined, end: () => undefined }
    await importOrders(control, 'phone', new TextEncoder().encode(text), () => step)
    return sent
  }

  it('name a basket instead of a quantity, or both when they agree', async () => {
    const file = 'shopper,quantity,variants,key\nann,,m*1+s*2,k1\nbo,3,s*3,k2\ncy,1,,k3\n'
    expect(await placed(file)).toEqual([
      { shopperId: 'ann', key: 'k1', basket: { m: 1, s: 2 } },
      { shopperId: 'bo', key: 'k2', basket: { s: 3 } },
      { shopperId: 'cy', key: 'k3', quantity: 1 },
    ])
    expect(await placed('shopper,variants,key\nann,s*1,k1\n')).toEqual([
      { shopperId: 'ann', key: 'k1', basket: { s: 1 } },
    ])
  })

  it('may name the currency of each', async () => {
    expect(await placed('shopper,quantity,currency,key\nann,1,USD,k1\nbo,1,,k2\n')).toEqual([
      { shopperId: 'ann', key: 'k1', currency: 'USD', quantity: 1 },
      { shopperId: 'bo', key: 'k2', quantity: 1 },
    ])
  })

  it.each([
    ['shopper,variants,key\nann,2 small,k1\n', 'line 2: variants must be units such as m*1+s*2'],
    ['shopper,quantity,variants,key\nann,2,s*3,k1\n', 'line 2: quantity must be the sum of the variants'],
    ['shopper,key\nann,k1\n', 'line 2: quantity must be a whole number from 1'],
  ])('that disagree are refused before anything is sent: %j', async (text, detail) => {
    await expect(placed(text)).rejects.toThrow(detail)
  })
})
