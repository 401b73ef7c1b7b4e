/**
 * What an order is for: title, picture, whether it is a coupon, the names of its variants. Read from
 * the sale's own static page: it costs the CDN only.
 */
import type { Language } from '../core/language.ts'
import { fieldsInText } from './wire.ts'

/** `variantsIn` are names by id, in the order of the sale. */
export type SaleCard = {
  titleIn: (language: Language) => string
  image: string | undefined
  isCoupon: boolean
  variantsIn: (language: Language) => ReadonlyMap<string, string>
}

const known = new Map<string, Promise<SaleCard>>()

/** The card of a sale; its id stands in when the page is gone. */
export function saleCard(saleId: string): Promise<SaleCard> {
  const found = known.get(saleId) ?? read(saleId)
  known.set(saleId, found)
  return found
}

async function read(saleId: string): Promise<SaleCard> {
  const unknown = { titleIn: () => saleId, image: undefined, isCoupon: false, variantsIn: () => new Map() }
  try {
    // A copy of any age will do: the shopper has just come from that page.
    const response = await fetch(`/sales/${saleId}/`, { cache: 'force-cache' })
    if (!response.ok) return unknown
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const heading = page.querySelector('h1')
    const picture = page.querySelector('.sale__picture img')
    // The first of several sizes is the smallest.
    const small = picture?.getAttribute('srcset')?.split(' ')[0]
    const image = small ?? picture?.getAttribute('src') ?? undefined
    const isCoupon = page.getElementById('main')?.dataset.kind === 'coupon'
    const variants = [...page.querySelectorAll<HTMLElement>('.variant')].map((element) => {
      const name = element.querySelector<HTMLElement>('.variant__name')
      return [element.dataset.id ?? '', textsOf(name, '')] as const
    })
    const variantsIn = (language: Language) => new Map(variants.map(([id, nameIn]) => [id, nameIn(language)] as const))
    return { titleIn: textsOf(heading, saleId), image, isCoupon, variantsIn }
  } catch {
    // An order is worth showing without its picture.
    return unknown
  }
}

/** What the element says in a language; `missing` where the page has no such element. */
function textsOf(element: HTMLElement | null, missing: string): (language: Language) => string {
  const texts = fieldsInText(element?.dataset.texts ?? null) ?? {}
  return (language) => {
    const own = texts[language]
    return typeof own === 'string' ? own : (element?.textContent ?? missing)
  }
}
