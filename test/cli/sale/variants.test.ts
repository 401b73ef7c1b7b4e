/** Variants in the options of the command line (N1). */
import { describe, expect, it } from 'vitest'
import { newDefinition, readDefinition, readEdit } from '../../../cli/sale/definition.ts'
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
