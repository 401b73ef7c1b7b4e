/**
 * Stores the input of the sale form in the browser until it is saved or discarded, so that it survives a crash. Stores only
 * changed fields, so that another marketer's changes to the other fields stay. A form has no secrets.
 */
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import type { openStore } from '../../web/dom.ts'
import { isSame, textAt } from '../parts/text-parts.ts'
import { uploadPrefix } from './fields.ts'
import type { FormText } from './form-text.ts'

/** `savedAt` is epoch ms. */
type Draft = { changed: Partial<FormText>; savedAt: number }

const stored = z.object({ changed: z.record(z.string(), z.unknown()), savedAt: z.number() })

/** Older drafts are ignored, ms. */
const keptMs = 7 * 86_400_000

/** Returns the draft of one person and form. */
export function draftAt(who: string, form: string, place: ReturnType<typeof openStore>, clock: () => number) {
  const key = `sluice draft ${who} ${form}`
  const forget = () => place.removeItem(key)
  return {
    forget,
    /** Stores the fields that differ from `first`, or removes the draft. */
    keep(text: FormText, first: FormText): void {
      // An upload ends with its tab; a stored picture has an address.
      const hasAddress = (src: string) => src !== '' && !src.startsWith(uploadPrefix)
      const pictures = text.pictures.filter((picture) => hasAddress(textAt(picture, 'src')))
      const changed = Object.entries({ ...text, pictures }).filter(([name, part]) => !isSame(part, first[name]))
      const draft = { changed: Object.fromEntries(changed), savedAt: clock() }
      try {
        if (changed.length === 0) forget()
        else place.setItem(key, JSON.stringify(draft))
      } catch {
        // Storage is full.
      }
    },
    find(): Draft | undefined {
      const read = readJson(stored, place.getItem(key) ?? '')
      if (!read.ok || clock() - read.value.savedAt > keptMs) return undefined
      return { changed: read.value.changed as Partial<FormText>, savedAt: read.value.savedAt }
    },
  }
}
