/**
 * What is entered in the form of a sale, kept in the browser until it is saved or discarded, so that it outlives a crash. Only
 * changed fields are kept: those of an edited sale that another marketer has changed stay as they are now. A form has no secrets.
 */
import * as z from 'zod/mini'
import { readJson } from '../../../../core/lib/parse.ts'
import { toLocalInput } from '../lib/typed.ts'
import type { FormText } from './form-text.ts'
import { pictureIn } from './picture-text.ts'
import { defaultText } from './values.ts'

/** `savedAt` is epoch ms. */
type Draft = { changed: Partial<FormText>; savedAt: number }

/** Another one where the texts of times, rounds, variants or pictures have other parts: drafts of before are forgotten. */
const shape = 2

const stored = z.object({ shape: z.literal(shape), changed: z.record(z.string(), z.unknown()), savedAt: z.number() })

/** Older drafts are forgotten, ms. */
const keptMs = 7 * 86_400_000

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** A draft of one person and form. A browser that stores nothing keeps none, and the form works as without. */
export function draftAt(who: string, form: string, storage: () => Storage, clock: () => number) {
  const key = `sluice draft ${who} ${form}`
  const tried = <T>(work: (place: Storage) => T): T | undefined => {
    try {
      return work(storage())
    } catch {
      // Storage is full, or the reader has forbidden it.
      return undefined
    }
  }
  const forget = () => void tried((place) => place.removeItem(key))
  return {
    forget,
    /** Keeps what differs from `first`; with no difference it forgets the draft. */
    keep(text: FormText, first: FormText): void {
      const before: Readonly<Record<string, unknown>> = first
      // An upload ends with its tab; what came of it has an address.
      const pictures = text.pictures.map(pictureIn).filter(({ src }) => src !== '')
      const changed = Object.entries({ ...text, pictures }).filter(([name, value]) => !isSame(value, before[name]))
      const draft = { shape, changed: Object.fromEntries(changed), savedAt: clock() }
      if (changed.length === 0) forget()
      else tried((place) => place.setItem(key, JSON.stringify(draft)))
    },
    /** The draft, with the fields that this version of the form has. */
    find(first: FormText): Draft | undefined {
      const text = tried((place) => place.getItem(key))
      const read = readJson(stored, text ?? '')
      if (!read.ok || clock() - read.value.savedAt > keptMs) return undefined
      const fits = Object.entries(read.value.changed).filter(([name, value]) => {
        const known: unknown = Reflect.get(first, name)
        return typeof value === typeof known && Array.isArray(value) === Array.isArray(known) && value !== null
      })
      if (fits.length === 0) return undefined
      return { changed: Object.fromEntries(fits), savedAt: read.value.savedAt }
    },
  }
}

/**
 * What stands in the form of a new sale at first. An hour of goods that begins in ten minutes, without a picture; `now`
 * is epoch ms.
 */
export function freshText(locale: string, now: number): FormText {
  const start = Math.ceil((now + 600_000) / 60_000) * 60_000
  const currency = locale.startsWith('zh') ? 'CNY' : 'EUR'
  return {
    ...defaultText(currency),
    kind: 'goods',
    pictures: [],
    currency,
    stock: '100',
    'packets.count': '100',
    limitPerShopper: '1',
    maxPerOrder: '1',
    startsAt: toLocalInput(start, undefined),
    endsAt: toLocalInput(start + 3_600_000, undefined),
    windows: [],
    variants: [],
    texts: {},
  }
}
