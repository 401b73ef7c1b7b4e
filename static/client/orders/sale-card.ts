/**
 * What an order is for: title, picture, whether it is a coupon, the names of its variants. Read from
 * the sale's own static page: it costs the CDN only.
 */
import type { Language } from '../../../core/language.ts'
import { fieldsInText } from '../lib/wire.ts'

/** `variants` are names by id, in the order of the sale. */
export type SaleCard = {
  titleIn: (language: Language) => string
  image: string | undefined
  isCoupon: boolean
  variants: ReadonlyMap<string, string>
}

const known = new Map<string, Promise<SaleCard>>()

/** The card of a sale; its id stands in when the page is gone. */
export function saleCard(saleId: string): Promise<SaleCard> {
  const found = known.get(saleId) ?? read(saleId)
  known.set(saleId, found)
  return found
}

async function read(saleId: string): Promise<SaleCard> {
  const unknown = { titleIn: () => saleId, image: undefined, isCoupon: false, variants: new Map() }
  try {
    // A copy of any age will do: the shopper has just come from that page.
    const response = await fetch(`/sales/${saleId}/`, { cache: 'force-cache' })
    if (!response.ok) return unknown
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const heading = page.querySelector('h1')
    const title = heading?.textContent ?? saleId
    const texts = fieldsInText(heading?.dataset.texts ?? null) ?? {}
    const picture = page.querySelector('.sale__picture img')
    // Of several sizes the first is the smallest.
    const small = picture?.getAttribute('srcset')?.split(' ')[0]
    const image = small ?? picture?.getAttribute('src') ?? undefined
    const isCoupon = page.getElementById('main')?.dataset.kind === 'coupon'
    const variants = [...page.querySelectorAll<HTMLElement>('.variant')].map(
      (element) =>
        [element.dataset.id ?? '', element.querySelector('.variant__name')?.textContent ?? ''] as const,
    )
    const titleIn = (language: Language) => {
      const own = texts[language]
      return typeof own === 'string' ? own : title
    }
    return { titleIn, image, isCoupon, variants: new Map(variants) }
  } catch {
    // An order is worth showing without its picture.
    return unknown
  }
}
