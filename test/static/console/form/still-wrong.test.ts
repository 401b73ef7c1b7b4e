import { describe, expect, it } from 'vitest'
import { checkForm, stillWrong } from '../../../../static/client/console/form/form-check.ts'
import type { FormText } from '../../../../static/client/console/form/form-text.ts'
import { blueBowl } from '../blue-bowl.ts'

const before = new Date(2026, 10, 20, 11).getTime()
const errorsIn = (text: FormText) => {
  const checked = checkForm(text, text, undefined, before)
  return checked.ok ? {} : checked.errors
}
const required = { key: 'error.required' } as const

describe('a complaint of the sale form', () => {
  it('leaves when its field is filled, and the others stay', () => {
    const text = { ...blueBowl, title: '', description: '' }
    const errors = errorsIn(text)
    expect(errors).toEqual({ title: required, description: required })
    const filled = { ...text, title: 'Bowl' }
    expect(stillWrong({ errors }, filled, errorsIn(filled))).toEqual({ description: required })
    const whole = { ...filled, description: 'Blue.' }
    expect(stillWrong({ errors }, whole, errorsIn(whole))).toEqual({})
  })

  it('leaves when another field makes it right: an earlier start, a higher limit, a first picture', () => {
    const text = { ...blueBowl, startsAt: blueBowl.endsAt, maxPerOrder: '3', limitPerShopper: '1', pictures: [] }
    const errors = errorsIn(text)
    expect(Object.keys(errors).sort()).toEqual(['endsAt', 'maxPerOrder', 'pictures'])
    const { startsAt, pictures } = blueBowl
    const filled = { ...text, startsAt, pictures, limitPerShopper: '3' }
    expect(stillWrong({ errors }, filled, errorsIn(filled))).toEqual({})
  })

  it('follows what is typed into its field, and no other field gets one before it is checked', () => {
    const text = { ...blueBowl, price: '', title: '' }
    const typed = { ...text, price: 'much', description: '' }
    const rest = stillWrong({ errors: { price: required } }, typed, errorsIn(typed))
    expect(rest).toEqual({ price: { key: 'error.price', args: { digits: 2 } } })
  })

  it('that only the shop has found stays until another value stands there', () => {
    const errors = { saleId: { key: 'error.taken' }, 'pictures.0.src': { key: 'error.image' } } as const
    const other = { ...blueBowl, title: 'Bowl' }
    const complaints = { errors, refused: blueBowl }
    expect(stillWrong(complaints, other, errorsIn(other))).toEqual(errors)
    const mended = { ...other, saleId: 'bowl-2', pictures: [{ src: '/assets/pictures/tea.svg', alt: 'A bowl' }] }
    expect(stillWrong(complaints, mended, errorsIn(mended))).toEqual({})
  })
})
