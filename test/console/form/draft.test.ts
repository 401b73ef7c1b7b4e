/** Drafts of the form of a sale in the storage of a browser. */
import { describe, expect, it } from 'vitest'
import { draftAt } from '../../../console/form/draft.ts'
import { freshText } from '../../../console/form/form-text.ts'

const first = freshText('en', Date.UTC(2026, 10, 20))

function rig(setItem?: () => never) {
  const items = new Map<string, string>()
  const clock = { now: 1000 }
  const place = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: setItem ?? ((key: string, text: string) => void items.set(key, text)),
    removeItem: (key: string) => void items.delete(key),
  }
  const at = (who: string, form = '#/new') => draftAt(who, form, place, () => clock.now)
  return { items, clock, at }
}

describe('a draft', () => {
  it('has the changed fields alone, so that those that others changed since stay', () => {
    const { at } = rig()
    at('mia').keep(
      {
        ...first,
        title: 'Mug',
        pictures: [
          { src: '/a.jpg', alt: 'A' },
          { src: '', alt: 'B' },
          { src: 'upload:1', alt: 'C' },
        ],
      },
      first,
    )
    expect(at('mia').find()).toEqual({
      changed: { title: 'Mug', pictures: [{ src: '/a.jpg', alt: 'A' }] },
      savedAt: 1000,
    })
  })

  it('is of one person and one form, and ends when nothing differs, when it is saved, and after a week', () => {
    const { at, items, clock } = rig()
    const typed = { ...first, title: 'Mug' }
    at('mia').keep(typed, first)
    expect(at('joe').find()).toBeUndefined()
    expect(at('mia', '#/sale/mug/edit').find()).toBeUndefined()
    at('mia').keep(first, first)
    expect(items.size).toBe(0)
    at('mia').keep(typed, first)
    clock.now += 7 * 86_400_000 + 1
    expect(at('mia').find()).toBeUndefined()
    at('mia').forget()
    expect(items.size).toBe(0)
  })

  it.each(['', 'null', '{"savedAt":"1000","changed":{"title":"Mug"}}'])(
    'that this form cannot have is dropped: %s',
    (text) => {
      const { at, items } = rig()
      at('mia').keep({ ...first, title: 'Mug' }, first)
      for (const key of items.keys()) items.set(key, text)
      expect(at('mia').find()).toBeUndefined()
    },
  )

  it('is missing where the storage is full, and the form works', () => {
    const { at, items } = rig((): never => {
      throw new Error('full')
    })
    at('mia').keep({ ...first, title: 'Mug' }, first)
    expect(items.size).toBe(0)
    expect(at('mia').find()).toBeUndefined()
  })
})
